import { readdirSync, readFileSync } from 'node:fs';
import { checkSync } from 'recheck';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const SOURCES = new URL('../src/', import.meta.url);

interface Expression {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** Returns the expressions of the sources that are literals, and the files that make others by a call. */
function readSources(): { readonly literals: Expression[]; readonly makers: string[] } {
  const literals: Expression[] = [];
  const makers = new Set<string>();
  for (const name of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name) || name.endsWith('.generated.ts')) continue;
    const file = ts.createSourceFile(name, readFileSync(new URL(name, SOURCES), 'utf8'), ts.ScriptTarget.ESNext, true);
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
        literals.push({ place: `${name}:${line}`, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
      }
      if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp')
        makers.add(name);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return { literals, makers: [...makers].sort() };
}

/** Returns the expressions that a module makes by a call while it loads. */
async function readMade(name: string): Promise<Expression[]> {
  const made: Expression[] = [];
  const Original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Original, {
    construct(target, args: [string, string?], caller) {
      made.push({ place: name, source: String(args[0]), flags: args[1] ?? '' });
      return Reflect.construct(target, args, caller) as RegExp;
    },
  });
  try {
    await import(/* @vite-ignore */ `../src/${name}?made`);
  } finally {
    globalThis.RegExp = Original;
  }
  return made;
}

/** Without bounds of time but that of the whole: the checker takes a slow machine for a slow expression. */
const STEPS_ALONE = { timeout: 240_000, attackTimeout: null, incubationTimeout: null };

describe('regular expressions', () => {
  // The checker searches for a text on which a match takes more than linear time.
  it('take linear time in the worst case', { timeout: 600_000 }, async () => {
    const { literals, makers } = readSources();
    expect(literals.length).toBeGreaterThan(200);
    const made: Expression[] = [];
    for (const name of makers) {
      const own = await readMade(name);
      // A function that makes one at each call cannot be checked here.
      expect(own.length, `${name} calls RegExp, but not while it loads`).toBeGreaterThan(0);
      made.push(...own);
    }
    const each = new Map([...literals, ...made].map((one) => [`/${one.source}/${one.flags}`, one]));
    const slow = [...each].flatMap(([text, { place, source, flags }]) => {
      const checked = checkSync(source, flags, STEPS_ALONE);
      if (checked.status === 'safe') return [];
      return [`${place} ${text}: ${checked.status === 'vulnerable' ? checked.complexity.summary : checked.status}`];
    });
    expect(slow).toEqual([]);
  });
});
