import { it } from 'vitest';
import { useFolder } from '../folder.ts';
import { killChanges } from './kill-changes.ts';

const root = useFolder('slow-sealed-kill-sqlite');

it('keeps sealed keys and a SQLite file together, if a change of the keys is killed at 50 moments', () =>
  killChanges(root, 50, 'sqlite'));
