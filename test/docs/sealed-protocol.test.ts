import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fromHex, toBase64Url, toHex, toInput } from '../../src/sealed/encoding.ts';
import { hashToGroup, multiply, publicKeyOf } from '../../src/sealed/group/voprf.ts';
import { headAfter, markOf, NO_HISTORY } from '../../src/sealed/history.ts';
import { operatorPublicKey, signMark } from '../../src/sealed/manifest.ts';
import { createRowKeys, packContent } from '../../src/sealed/rows.ts';
import { sealedAddresses } from '../../src/sealed/client/requests.ts';
import { STATUSES } from '../../src/sealed/errors.ts';
import { bytesOf } from '../sealed/group-samples.ts';
import { TestOperator } from '../sealed/client/operator.ts';

const PAGE = readFileSync(new URL('../../docs/sealed-protocol.md', import.meta.url), 'utf8');

/** The cells of the tables of a section, without their heads. */
function rowsOf(heading: string): string[][] {
  const [, section = ''] = PAGE.split(new RegExp(`## \\d+\\. ${heading}\\n`));
  const lines = section.split('\n## ', 1)[0]!.split('\n');
  const rows = lines.filter((line, at) => line.startsWith('| ') && !lines[at + 1]?.startsWith('|---'));
  return rows.map((line) => line.slice(2, -2).split(' | '));
}
const namesIn = (cell: string): string[] => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name!);

describe('docs/sealed-protocol.md', () => {
  it('has the addresses', () => {
    const { manifest, evaluate, report, ...files } = sealedAddresses('');
    const named = Object.values(files).map((file) => file(1, 2));
    const listed = rowsOf('Addresses').map(([request]) => namesIn(request!)[0]!.replace(/^\w+ /, ''));
    const sample = (path: string): string => path.replace('<epoch>', '1').replace('<sequence>', '2');
    expect(listed.map(sample).sort()).toEqual([manifest, evaluate, report, ...named].sort());
  });

  it('has every field of a manifest, and no other', () => {
    const operator = new TestOperator();
    operator.publish();
    const fields = Object.keys(JSON.parse(new TextDecoder().decode(operator.signed!.bytes)) as object);
    expect(
      rowsOf('Manifest')
        .flatMap(([field]) => namesIn(field!))
        .sort(),
    ).toEqual(fields.sort());
  });

  it('has every error with its status', () => {
    expect(rowsOf('Errors').map(([name, status]) => [namesIn(name!)[0], Number(status)])).toEqual(
      Object.entries(STATUSES),
    );
  });

  it('has known answers', () => {
    const known = new Map(rowsOf('Known answers').map(([name, value]) => [name!, namesIn(value!)[0]!]));
    const scalar = (value: number): Uint8Array => Uint8Array.of(value, ...new Uint8Array(31));
    const hashed = hashToGroup(toInput(known.get('hash')!));
    const element = multiply(scalar(2), hashed);
    const point = multiply(scalar(3), element);
    const keys = createRowKeys(new Uint8Array(32).fill(7), point);
    const report = fromHex('a1b2c3d4e5f6')!;
    const standing = { precision: 12.5 / 16, established: true, verified: true };
    const content = { report, reporter: 513, severity: 8, kind: 0, type: 1, disputed: false, days: 20_454, standing };
    const row = keys.close(0, packContent(content));
    const tags = [0, 1].map((index) => keys.tag(index));
    const first = markOf(headAfter({ sequence: 11, history: NO_HISTORY }, bytesOf('{}')));
    const signingKey = new Uint8Array(32).fill(1);
    expect([...known.values()].slice(1)).toEqual([
      toBase64Url(publicKeyOf(scalar(6))),
      ...[hashed, element, point, ...tags, packContent(content), row].map(toHex),
      first.link,
      toBase64Url(operatorPublicKey(signingKey)),
      toHex(signMark(signingKey, publicKeyOf(scalar(6)), first)),
    ]);
  });
});
