import { expect, it } from 'vitest';
import { RefusedError } from '../../src/index.ts';
import { messageOf } from '../../src/service/playground/parts.tsx';
import { formatRefusal } from '../../src/protocol.ts';

it('words errors as sentences, and refusals as the service does', () => {
  const refusal = { reason: 'invalid-text', limitCharacters: 2000 } as const;
  expect(messageOf(new RefusedError(refusal))).toBe(formatRefusal(refusal));
  expect(messageOf(new Error('the file is damaged'))).toBe('The file is damaged.');
});
