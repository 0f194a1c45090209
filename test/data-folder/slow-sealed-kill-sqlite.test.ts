import { it } from 'vitest';
import { budget } from '../budget.ts';
import { useFolder } from '../folder.ts';
import { killChanges } from './kill-changes.ts';

const root = useFolder('slow-sealed-kill-sqlite');

it('keeps sealed keys and a SQLite file together, if a change of the keys is killed again and again', () =>
  killChanges(root, budget(6), 'sqlite'));
