import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isShown, readPage, trimEnd, type CodeBlock, type ConsoleBlock } from './page.ts';
import { findCurl, openTerminal, ROOT, type Terminal } from './terminal.ts';

/** Languages whose blocks are programs: each needs a file name or the word `fragment`. */
const PROGRAMS = ['js', 'mjs', 'ts'];

/**
 * Defines the tests of a page: one for each command and each saved file, in order, and one for each fragment. Without
 * bash or curl the commands are skipped with a warning. If `CI` is set, that is a failure.
 * @param page path from the root of the project, as in `docs/protocol.md`
 * @param options further options of the page's service
 */
export function describePage(page: string, options: readonly string[] = []): void {
  const blocks = readPage(readFileSync(join(ROOT, page), 'utf8'));
  const hasSession = blocks.some((block) => block.kind === 'console');
  const programs = blocks.filter((block) => block.kind === 'code' && PROGRAMS.includes(block.language));
  if (!hasSession && programs.length === 0) return;
  const curl = findCurl();
  if (curl === undefined && process.env['CI']) {
    it(`${page} needs bash and curl`, () => expect.fail('bash or curl is missing'));
    return;
  }
  if (curl === undefined) console.warn(`The commands of ${page} are skipped: bash or curl is missing.`);

  describe([page, ...options].join(' '), () => {
    for (const block of blocks) if (block.kind === 'code' && block.file === undefined) describeCode(block);

    if (!hasSession) return;
    describe.skipIf(curl === undefined)('its session', () => {
      let terminal: Terminal;
      beforeAll(async () => {
        terminal = await openTerminal(curl!, options);
      });
      afterAll(() => terminal.close());

      let service: ConsoleBlock['service'];
      for (const block of blocks) {
        if (block.kind === 'console') {
          service = block.service;
          describeConsole(block, page, () => terminal);
        } else if (block.serves) {
          const [, args] = /^npx redflag serve (.*)\n$/.exec(block.text)!;
          it(`line ${block.line}: starts a service in place of the other one`, () => terminal.serve(args!.split(' ')));
        } else if (block.file !== undefined) {
          const { line, file, text } = block;
          const options = service;
          it(`line ${line}: saves ${file}`, async () => {
            // Before the first command the page's service has no folder yet.
            if (options === undefined) await terminal.use(undefined);
            await terminal.save(file, text);
          });
        }
      }
    });
  });
}

function describeConsole({ service, isSlow, exchanges }: ConsoleBlock, page: string, terminal: () => Terminal): void {
  for (const [index, { line, command, expected }] of exchanges.entries()) {
    it.skipIf(isSlow && process.env['SLOW'] !== '1')(
      `line ${line}: ${command.split('\n')[0]!.slice(0, 90)}`,
      async () => {
        // A block with a service of its own starts it once, before its first command.
        if (index === 0) await terminal().use(service);
        const { code, output } = await terminal().run(command);
        const where = `${page}:${line}: ${command}`;
        // `toBe` is only for its message, which shows the difference with placeholders.
        if (!isShown(expected, output)) expect(trimEnd(output.replaceAll('\r\n', '\n')), where).toBe(expected);
        expect(code, `${where}: exit code`).toBe(0);
      },
    );
  }
}

function describeCode({ line, language, text, isFragment }: CodeBlock): void {
  if (!PROGRAMS.includes(language)) return;
  it(`line ${line}: a fragment has valid syntax and imports what exists`, async () => {
    expect(isFragment, 'a program without file="…" must be marked as a fragment').toBe(true);
    await transform(text, { loader: 'ts', format: 'esm' });
    for (const [, names, door] of text.matchAll(/import \{([^}]+)\} from '(redflag[^']*)'/g)) {
      const file = door === 'redflag' ? 'index' : door!.slice('redflag/'.length);
      const exported = (await import(pathToFileURL(join(ROOT, 'dist', `${file}.js`)).href)) as object;
      for (const name of names!.split(',')) expect(exported, door).toHaveProperty(name.trim());
    }
  });
}
