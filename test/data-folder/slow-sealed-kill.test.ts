import { it } from 'vitest';
import { useFolder } from '../folder.ts';
import { killChanges } from './kill-changes.ts';

const root = useFolder('slow-sealed-kill');

it('keeps sealed keys and a journal together, if a change of the keys is killed at 50 moments', () =>
  killChanges(root, 50));
