import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeReporters, parseReporters, type ReporterEntry } from '../../src/sealed/reporters.ts';
import { bytesOf, refusal } from './group-samples.ts';

const entries = fc.uniqueArray(
  fc.record({
    number: fc.integer({ min: 0, max: 0xffff }),
    precision: fc.integer({ min: 0, max: 15 }).map((step) => (step + 0.5) / 16),
    established: fc.boolean(),
    verified: fc.boolean(),
  }),
  { selector: ({ number }) => number },
);
const entry: ReporterEntry = { number: 1, precision: 5 / 32, established: false, verified: true };

describe("the reporters' table", () => {
  it('reads back to the same steps, and has the same bytes in any order', () => {
    fc.assert(
      fc.property(entries, (all) => {
        const bytes = encodeReporters(all);
        const table = parseReporters(bytes);
        expect(table.size).toBe(all.length);
        for (const one of all) expect(table.get(one.number)).toEqual(one);
        expect(encodeReporters([...all].reverse())).toEqual(bytes);
      }),
    );
  });

  it('has these bytes', () => {
    expect(new TextDecoder().decode(encodeReporters([entry, { ...entry, number: 0, precision: 1 / 3 }]))).toBe(
      '{"format":"redflag-sealed-reporters/2","reporters":[[0,5,false,true],[1,2,false,true]]}',
    );
  });

  it.each<[string, Partial<Record<keyof ReporterEntry, unknown>>]>([
    ['a number below 0', { number: -1 }],
    ['a number above 65,535', { number: 65_536 }],
    ['a precision above 1', { precision: 1.1 }],
    ['a precision that is no number', { precision: Number.NaN }],
    ['another type', { established: 1 }],
    ['a missing field', { verified: undefined }],
  ])('is not made with %s', (_, wrong) => {
    expect(() => encodeReporters([{ ...entry, ...wrong } as ReporterEntry])).toThrow(/expected/);
  });

  it('is not made with a number twice', () => {
    expect(() => encodeReporters([entry, entry])).toThrow('"number" expected a whole number');
  });

  it.each([
    '',
    '[]',
    'null',
    '{"format":"redflag-sealed-reporters/2"}',
    '{"format":"redflag-sealed-reporters/1","reporters":[]}',
    '{"format":"redflag-sealed-reporters/2","more":1,"reporters":[]}',
    '{"format":"redflag-sealed-reporters/2","reporters":[[1,2.0,false,true]]}',
    '{"format":"redflag-sealed-reporters/2","reporters":[[2,1,false,true],[1,1,false,true]]}',
    '{"format":"redflag-sealed-reporters/2","reporters":[[1,1,false,true],[1,1,false,true]]}',
    '{"format":"redflag-sealed-reporters/2","reporters":[[1,1,false,true,0]]}',
    '{"format":"redflag-sealed-reporters/2","reporters":[[1,"1",false,true]]}',
    '{"format":"redflag-sealed-reporters/2","reporters":[null]}',
    '{"format":"redflag-sealed-reporters/2","reporters":[[1,0.5,false,true]]}',
    '{"format":"redflag-sealed-reporters/2","reporters":[[1,16,false,true]]}',
  ])('refuses %s', (text) => {
    expect(refusal(() => parseReporters(bytesOf(text)))).toBe('malformed');
  });

  it('refuses each changed byte, or reads another table', () => {
    const bytes = encodeReporters([entry, { ...entry, number: 7 }]);
    for (let at = 0; at < bytes.length; at++) {
      const broken = bytes.slice();
      broken[at]! ^= 1;
      let table: unknown;
      if (refusal(() => (table = parseReporters(broken))) === 'none') expect(table).not.toEqual(parseReporters(bytes));
    }
  });
});
