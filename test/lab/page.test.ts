import { beforeEach, describe, expect, it } from 'vitest';
import { html } from '../../src/lab/page/markup.ts';
import { renderPage } from '../../src/lab/page/page.ts';
import { readCurve } from '../../src/lab/page/curves.ts';
import { wilson } from '../../src/lab/metrics/wilson.ts';
import type { Estimate, LabResult } from '../../src/lab/result.ts';
import { SAMPLE } from './sample-result.ts';

/** HTML elements without an end tag. */
const VOID = new Set(['meta']);

/** A start or end tag, with all attribute values in quotes. */
const TAG = /<(\/?)([a-zA-Z0-9-]+)(?:\s+[a-zA-Z0-9:-]+(?:="[^"<>]*")?)*\s*(\/?)>/g;

/** Returns the tags that do not nest; empty for a valid page. */
function faultsOf(page: string): string[] {
  const open: string[] = [];
  const faults: string[] = [];
  const body = page.replace(/^<!doctype html>/, '').replace(/<style>[^<]*<\/style>/, '');
  for (const tag of body.matchAll(TAG)) {
    const [, end, name, closed] = tag;
    if (end === '/') {
      if (open.pop() !== name) faults.push(`</${name}> at ${tag.index}`);
    } else if (closed !== '/' && !VOID.has(name!)) open.push(name!);
  }
  const rest = body.replace(TAG, '');
  if (/[<>]/.test(rest)) faults.push(`a stray < or > in: ${/.{0,40}[<>].{0,40}/.exec(rest)![0]}`);
  return [...faults, ...open.map((name) => `<${name}> has no end`)];
}

const EVIL = `<script>alert("1")</script>&'\u0000`;

/** Returns the same result with hostile text in all its texts. */
function withEvilTexts(result: LabResult): LabResult {
  const models = result.models.map((model, index) => ({
    ...model,
    name: `${EVIL}${index}`,
    misses: model.misses.map((miss) => ({ ...miss, at: EVIL, sentences: miss.sentences.map(() => EVIL) })),
  }));
  const attacks = result.attacks.map(() => ({
    name: EVIL,
    ratios: Object.fromEntries(models.map((model) => [model.name, 2])),
    points: {},
  }));
  const { standings } = result;
  return {
    ...result,
    title: EVIL,
    from: EVIL,
    to: EVIL,
    warnings: [EVIL],
    models,
    attacks,
    standings: { count: 80, reporters: standings!.reporters.map((one) => ({ ...one, name: EVIL })) },
  };
}

let page = '';
beforeEach(() => {
  page ||= renderPage(SAMPLE);
});
const headings = (text: string): string[] => [...text.matchAll(/<h2>([^<]*)<\/h2>/g)].map((match) => match[1]!);

describe('html', () => {
  it('escapes text, and leaves markup unchanged', () => {
    expect(
      html`<a title="${`"'<&>`}">${'<b>'}${html`<i>${1}</i>`}${[html`x`, html`y`]}${undefined}${false}</a>`.text,
    ).toBe('<a title="&quot;&#39;&lt;&amp;&gt;">&lt;b&gt;<i>1</i>xy</a>');
  });

  it('drops the line breaks of a template beside tags, and makes them a space elsewhere', () => {
    const text = html`<p
      class="a">One line
      and ${'one\n  more'}
      with <b>bold</b>
      <i>text</i>
      ${html`<br/>`}
    </p>`.text;
    expect(text).toBe('<p class="a">One line and one\n  more with <b>bold</b><i>text</i><br/></p>');
  });

  it('drops a line break between two values, with its indentation and nothing else', () => {
    expect(
      html`${'a'}
      ${'b'}, ${'c'} ${'d'}
      , ${'e'}`.text,
    ).toBe('ab, c d , e');
  });

  it('replaces control characters', () => {
    expect(html`${'a\u0000\u001b\n\tb'}`.text).toBe('a\ufffd\ufffd\n\tb');
  });
});

describe('renderPage', () => {
  it('shows the warnings of the result in the heading', () => {
    expect(page).not.toContain('class="notice warn"');
    expect(renderPage({ ...SAMPLE, warnings: ['Only 2 < 30.', 'And more.'] })).toMatch(
      /<p class="notice warn"><strong>Warning\.<\/strong> Only 2 &lt; 30\.<\/p><p class="notice warn">.+And more\.<\/p><\/header>/,
    );
  });

  it('shows the counts of the result in the heading', () => {
    const facts = /<dl class="figures">(.*?)<\/dl>/.exec(page)![1]!;
    expect([...facts.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name, value]) => [name, value])).toEqual([
      ['reporters', '80'],
      ['reports', '4,512'],
      ['removed', '214'],
      ['disputes', '37'],
      ['queries', '5,000'],
      ['with a match', '1,262'],
      ['judged', '1,262'],
      ['positives, 32\u00a0% of judged', '402'],
    ]);
  });

  it('says what each figure measures and which end is better, and what a constant score would get', () => {
    const table = /<table class="models">.*?<\/table>/.exec(page)![0];
    expect([...table.matchAll(/<th scope="col">(.*?)<\/th>/g)].map(([, text]) => text!.replace(/<.*?>/g, ''))).toEqual([
      'Model',
      'ROC-AUC ↑ ranking',
      'PR-AUC of positives ↑ precision',
      'PR-AUC of negatives ↑ precision',
      'ECE ↓ calibration error',
      'Brier ↓ squared error',
    ]);
    // 402 of 1,262 are positive: .319 and .681, and a Brier score of .319 · .681.
    const constant = /<tr class="ignorant">(.*?)<\/tr>/.exec(table)![1]!;
    expect([...constant.matchAll(/<td>(.*?)<\/td>/g)].map(([, text]) => text)).toEqual([
      '.500',
      '.319',
      '.681',
      '–',
      '.217',
    ]);
  });

  it('shows the figures of other sets of queries in a table each', () => {
    const names = ['all labelled', 'group new'];
    const subsets = names.map((name, at) => ({
      name,
      judged: 1500 + at,
      positives: 30,
      models: [{ name: 'one-voice/1', rocAuc: 0.75, prAuc: 0.5, prAucOfZeros: 0.25 }],
    }));
    const text = renderPage({ ...SAMPLE, subsets });
    expect(faultsOf(text)).toEqual([]);
    expect(headings(text)).toContain('Other sets of queries');
    const tables = [...text.matchAll(/<table class="models"><caption>(.*?)<\/caption>(.*?)<\/table>/g)];
    expect(tables.map(([, caption]) => caption)).toEqual([
      'all labelled: 1,500 queries, 30 labelled 1',
      'group new: 1,501 queries, 30 labelled 1',
    ]);
    for (const [, , cells] of tables)
      expect([...cells!.matchAll(/<t[hd](?: [^>]*)?>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell)).toEqual([
        'Model',
        'ROC-AUC',
        'PR-AUC of positives',
        'PR-AUC of negatives',
        'one-voice/1',
        '.750',
        '.500',
        '.250',
      ]);
  });

  it('says in words what each recommended threshold would have done, with its interval', () => {
    const advice = [...page.matchAll(/<h3>(Stop orders[^<]*)<\/h3><p class="plain-words">(.*?)<\/p>/g)];
    expect(advice.map(([, title, words]) => [title, words!.replace(/<.*?>/g, '')])).toEqual([
      [
        'Stop orders with 63 points or more',
        'Of 100 orders with fraud this would have stopped 42 (38 to 47); of 1,000 honest customers it would have stopped 1 (0 to 3).',
      ],
      [
        expect.stringContaining('48 points'),
        expect.stringMatching(/^Of 100 .* stopped 61 .* stopped 10 \(7 to 14\)\.$/),
      ],
      [
        expect.stringContaining('33 points'),
        expect.stringMatching(/^Of 100 .* stopped 74 .* stopped 49 \(42 to 56\)\.$/),
      ],
    ]);
    const none = { ...SAMPLE.thresholds!, recommended: [] };
    expect(renderPage({ ...SAMPLE, thresholds: none })).toContain('No threshold stops a fraud');
    // Less than half a customer of 100 is still somebody.
    const few = {
      frauds: 9,
      honest: 9_000,
      recommended: [{ threshold: 50, honestMost: 0.001 }],
      effects: [
        {
          threshold: 50,
          fraudsStopped: { value: 1, low: 0.7, high: 1 },
          honestStopped: { value: 0.0001, low: 0.000_02, high: 0.0006 },
        },
      ],
    };
    expect(renderPage({ ...SAMPLE, thresholds: few })).toMatch(/stopped <b>fewer than 1<\/b> <span[^>]*>\(0 to 1\)/);
  });

  it('labels the thresholds with exact shares', () => {
    const ticks = (honest: number): string[] => {
      const one = { value: honest, low: honest, high: honest };
      const effects = [{ threshold: 50, fraudsStopped: one, honestStopped: one }];
      const recommended = [{ threshold: 50, honestMost: 0.5 }];
      const text = renderPage({ ...SAMPLE, thresholds: { frauds: 9, honest: 9, effects, recommended } });
      const [, chart] = /aria-label="Honest customers: share[^>]*>(.*?)<\/svg>/.exec(text)!;
      return [...chart!.matchAll(/text-anchor="end">([\d.]+)\u00a0%</g)].map(([, tick]) => tick!);
    };
    expect(ticks(0.08)).toEqual(['0.0', '2.5', '5.0', '7.5', '10.0']);
    expect(ticks(0.04)).toEqual(['0.00', '1.25', '2.50', '3.75', '5.00']);
    expect(ticks(0.15)).toEqual(['0', '5', '10', '15', '20']);
  });

  it('says which differences are certain, and draws those that are known', () => {
    expect(page).toContain('link-claim/2 ranks better than one-voice/1: it is right in 3.3 of 100 pairs more.');
    const [first] = SAMPLE.differences!;
    const unsure = { ...first!, rocAuc: { value: 0.01, low: -0.01, high: 0.03 } };
    const worse = { ...first!, rocAuc: { value: -0.02, low: -0.03, high: -0.01 } };
    const text = renderPage({ ...SAMPLE, differences: [unsure, worse] });
    expect(text).toContain('Between link-claim/2 and one-voice/1, no difference in ranking is certain.');
    expect(text).toContain('ranks worse than one-voice/1: it is right in 2.0 of 100 pairs fewer.');
    expect(text).toContain('−.020 (−.030 to −.010)');
    expect(page.match(/advantage of the first model over/g)).toHaveLength(4);
  });

  it('draws every shape within its drawing', () => {
    const numbersOf = (shape: string, names: readonly string[]): number[] =>
      names.flatMap((name) => new RegExp(` ${name}="([^"]*)"`).exec(shape)?.slice(1).map(Number) ?? []);
    const spanOf = (shape: string, starts: readonly string[], size: string): number[] => {
      const [radius = 0] = numbersOf(shape, ['r']);
      const [length = 0] = numbersOf(shape, [size]);
      return numbersOf(shape, starts).flatMap((at) => [at - radius, at + radius, at + length]);
    };
    const shapes = { count: 0 };
    for (const [, width, height, content] of page.matchAll(/<svg [^>]*viewBox="0 0 (\d+) (\d+)"[^>]*>(.*?)<\/svg>/g))
      for (const [shape] of content!.matchAll(/<(?:rect|circle|line|text) [^>]*>/g)) {
        shapes.count++;
        const [across, down] = [
          spanOf(shape, ['x', 'x1', 'x2', 'cx'], 'width'),
          spanOf(shape, ['y', 'y1', 'y2', 'cy'], 'height'),
        ];
        expect(Math.min(...across, ...down), shape).toBeGreaterThanOrEqual(0);
        expect(Math.max(...across), shape).toBeLessThanOrEqual(Number(width));
        expect(Math.max(...down), shape).toBeLessThanOrEqual(Number(height));
      }
    expect(shapes.count).toBeGreaterThan(200);
  });

  it('has tags that nest', () => {
    expect(faultsOf(page)).toEqual([]);
  });

  it('gives the same bytes for the same result', () => {
    expect(renderPage(structuredClone(SAMPLE))).toBe(page);
  });

  it('loads nothing: no address, no script, no picture', () => {
    for (const text of [page, renderPage({ ...SAMPLE, title: 'x' })])
      expect(text).not.toMatch(/https?:|url\(|<script|@import|<link|<img|javascript:|\son[a-z]+=/i);
    expect(page).toContain('default-src &#39;none&#39;; style-src &#39;sha256-');
  });

  it('escapes every text of the result', () => {
    const evil = renderPage(withEvilTexts(SAMPLE));
    expect(faultsOf(evil)).toEqual([]);
    expect(evil).not.toContain('<script');
    expect(evil).not.toContain('\u0000');
    expect(evil).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;\ufffd');
  });

  it('shows no NaN, null or undefined if numbers are missing', () => {
    const none: Estimate = { value: Number.NaN, low: Number.NaN, high: Number.NaN };
    const models = SAMPLE.models.map((model) => ({
      ...model,
      rocAuc: none,
      prAuc: none,
      prAucOfZeros: none,
      ece: none,
      brier: none,
      roc: [],
      lift: [],
    }));
    const attacks = [
      { name: 'never run', ratios: {}, points: {} },
      { name: 'over nothing', ratios: { 'link-claim/2': Infinity }, points: {} },
    ];
    const empty = renderPage({ ...SAMPLE, models, attacks, counts: { ...SAMPLE.counts, judged: 0, positives: 0 } });
    expect(faultsOf(empty)).toEqual([]);
    for (const text of [
      page,
      empty,
      renderPage(JSON.parse(JSON.stringify({ ...SAMPLE, models, attacks })) as LabResult),
    ])
      expect(text).not.toMatch(/NaN|Infinity|undefined|null|\[object/);
  });

  it('leaves out sections without data', () => {
    expect(headings(page)).toEqual([
      'Which orders would have been stopped?',
      'Models side by side',
      'Is the first model better?',
      'Do positives rank first?',
      'Are the stated probabilities right?',
      'Distribution of scores',
      'Attacks on honest people',
      'Worst misses',
      'Standings of the reporters',
    ]);
    const models = SAMPLE.models.map((model) => ({
      ...model,
      calibration: [],
      misses: [],
      scores: { most: 100, ones: [], zeros: [] },
    }));
    const { differences: _, thresholds: __, standings: _s, ...older } = SAMPLE;
    expect(headings(renderPage({ ...older, models, attacks: [] }))).toEqual([
      'Models side by side',
      'Do positives rank first?',
    ]);
    const bare = renderPage({ ...older, models: [], attacks: [] });
    expect(headings(bare)).toEqual([]);
    expect(faultsOf(bare)).toEqual([]);
  });

  it('shows a calibration only for models that state a chance', () => {
    expect(page).toContain('aria-label="Calibration of one-voice/1.');
    expect(page).not.toContain('Calibration of severity-sum/1');
  });

  it('shows the figures of the result in its table, the best in bold', () => {
    const table = /<table class="models">.*?<\/table>/s.exec(page)![0];
    const rows = [...table.matchAll(/<tr class="s\d">(.*?)<\/tr>/g)].map((row) =>
      [...row[1]!.matchAll(/<td>(.*?)<\/td>/g)].map((cell) => cell[1]!),
    );
    const text = (value: number): string => value.toFixed(3).slice(1);
    for (const [index, { rocAuc, prAuc, prAucOfZeros, ece, brier }] of SAMPLE.models.entries()) {
      for (const [column, estimate] of [rocAuc, prAuc, prAucOfZeros, ece, brier].entries()) {
        const cell = rows[index]![column]!;
        if (estimate === undefined) expect(cell).toContain('–');
        else
          expect(cell).toMatch(
            new RegExp(
              `^<(strong|span class="plain")>\\${text(estimate.value)}</\\w+><small>\\${text(estimate.low)} to \\${text(estimate.high)}</small>`,
            ),
          );
        expect(cell.includes('<strong>')).toBe(index === 0);
      }
    }
  });

  const tableOf = (text: string): string[][] =>
    [...text.matchAll(/<tr>(.*?)<\/tr>/g)].map((found) =>
      [...found[1]!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map((cell) => cell[1]!),
    );
  const text = (value: number): string => value.toFixed(3).replace(/^0(?=\.)/, '');

  it('shows the standings of the result, and how many more there are', () => {
    const [, table] = /<table class="standings">(.*?)<\/table>/.exec(page)!;
    const [head, ...rows] = tableOf(table!);
    expect(head).toEqual(['Reporter', 'Verified', 'Established', 'Precision', 'Claims', 'Confirmed', 'Lost']);
    const yes = (is: boolean): string => (is ? 'yes' : 'no');
    expect(rows).toEqual(
      SAMPLE.standings!.reporters.map((one) => [
        one.name,
        yes(one.verified),
        yes(one.established),
        text(one.precision),
        one.claims.toLocaleString('en'),
        one.confirmed.toFixed(1),
        String(one.lost),
      ]),
    );
    expect(page).toContain('And 30 more.');
    const all = { count: 50, reporters: SAMPLE.standings!.reporters };
    expect(renderPage({ ...SAMPLE, standings: all })).not.toMatch(/And \d+ more/);
  });

  it('labels each drawing for screen readers', () => {
    const drawings = [...page.matchAll(/<svg [^>]*>/g)].map((match) => match[0]);
    expect(drawings.length).toBeGreaterThan(10);
    for (const drawing of drawings) expect(drawing).toMatch(/aria-hidden="true"|role="img" aria-label="[^"]{40,}"/);
  });

  it('names every model in full below the curves, with its line and figure, the best first', () => {
    const many = Array.from({ length: 9 }, (_, index) => ({
      ...SAMPLE.models[index % 3]!,
      name: `a model with a very long name, number ${index}`,
    }));
    const crowded = renderPage({ ...SAMPLE, models: many });
    expect(faultsOf(crowded)).toEqual([]);
    const [, key] = /aria-label="ROC curves.*?<\/svg><ul class="swatches[^>]*>(.*?)<\/ul>/.exec(crowded)!;
    const entries = [...key!.matchAll(/<svg class="(s\d)".*?stroke-dasharray="([\d ]*)".*?<span>(.*?)<\/span>/g)];
    const names = entries.map(([, , , name]) => name!.replace(/<.*?>/g, ''));
    expect(names.map((name) => Number(/number (\d)/.exec(name)![1]))).toEqual([0, 3, 6, 1, 4, 7, 2, 5, 8]);
    expect(names[3]).toBe('a model with a very long name, number 1 .775');
    // Colour and pattern together tell every two models apart.
    expect(new Set(entries.map(([, colour, dashes]) => `${colour} ${dashes}`)).size).toBe(9);
    for (const text of [page, crowded]) expect(text).toContain('viewBox="0 0 380 380" role="img" aria-label="ROC');
  });
});

describe('readCurve', () => {
  it('interpolates between points, reads the top of a vertical, and nothing beyond the ends', () => {
    const curve = [
      [0, 0],
      [0.2, 0.2],
      [0.2, 0.6],
      [1, 1],
    ] as const;
    expect([0, 0.1, 0.2, 0.6, 1].map((x) => readCurve(curve, x))).toEqual([
      0,
      expect.closeTo(0.1),
      0.6,
      expect.closeTo(0.8),
      1,
    ]);
    expect([readCurve(curve, 1.1), readCurve(curve, -1), readCurve([], 0)]).toEqual([undefined, undefined, undefined]);
  });
});

describe('wilson', () => {
  it('equals the published interval', () => {
    const [low, high] = wilson(0.1, 10);
    expect([low, high]).toEqual([expect.closeTo(0.0179, 3), expect.closeTo(0.4042, 3)]);
    expect(wilson(0, 0)).toEqual([0, 1]);
  });
});
