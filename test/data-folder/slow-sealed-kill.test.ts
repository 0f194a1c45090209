import { it } from 'vitest';
import { budget } from '../budget.ts';
import { useFolder } from '../folder.ts';
import { killChanges } from './kill-changes.ts';

const root = useFolder('slow-sealed-kill');

it('keeps sealed keys and a journal together, if a change of the keys is killed again and again', () =>
  killChanges(root, budget(6)));
