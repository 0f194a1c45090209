import { expect, it } from 'vitest';
import { parseBaseUrl } from '../../src/core/protocol/link.ts';

it.each(['https://name:word@reports.example', 'https://name@reports.example', 'https://:word@reports.example'])(
  'a base address has no credentials: %s',
  (address) =>
    expect(() => parseBaseUrl('publicUrl', address)).toThrow('"publicUrl" expected no credentials, got some'),
);
