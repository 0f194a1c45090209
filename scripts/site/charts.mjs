// Draws charts of the tables of docs/speed.md and docs/scale.md, as SVG in the page: so the colours follow the theme of
// the site. The table below a chart has the same figures as text.

/**
 * `header` is that of the first column. Columns count from 0, and the build fails if one has another header. Two series
 * are redflag and the alternative.
 */
const CHARTS = [
  {
    topic: 'hash',
    header: /^v\d/,
    title: (header) => `Identifiers hashed a second, as multiples of createHash, Node ${header}`,
    labels: [0],
    series: [{ column: 3, header: 'times createHash', name: 'times createHash' }],
  },
  {
    topic: 'engine',
    header: /^stored reports/,
    title: () => 'A query of the engine, in memory, µs (lower is better)',
    labels: [0],
    unit: 'stored reports',
    series: [
      { column: 2, header: 'query, µs', name: 'redflag' },
      { column: 3, header: 'raw SQL, µs', name: 'raw SQL alone' },
    ],
  },
  {
    topic: 'scoring',
    header: /^matching reports/,
    title: () => 'Time of a query by the number of matching reports, as multiples of the raw read (lower is better)',
    labels: [0],
    unit: 'reports',
    series: [{ column: 3, header: 'ratio', name: 'times the raw read' }],
  },
  {
    topic: 'store',
    header: /^durable reports/,
    title: () => 'Durable reports a second, 64 at once',
    labels: [0, 1],
    unit: 'stored',
    series: [
      { column: 5, header: '64 at once', name: 'redflag' },
      { column: 6, header: 'by hand', name: 'written by hand' },
    ],
  },
  {
    topic: 'store',
    header: /^query of/,
    title: (header) => `A ${header}, µs (lower is better)`,
    labels: [0, 1],
    unit: 'stored',
    series: [
      { column: 2, header: 'the store, µs', name: 'redflag' },
      { column: 3, header: 'by hand, µs', name: 'written by hand' },
    ],
  },
  {
    topic: 'http',
    header: /^(?:queries|viewer|reports)$/,
    title: (header) => `Over HTTP: ${header === 'viewer' ? 'views' : header} a second`,
    labels: [0, 1],
    series: [
      { column: 2, header: 'redflag a second', name: 'redflag' },
      { column: 3, header: 'constant a second', name: 'a constant reply' },
    ],
  },
  {
    topic: 'views',
    header: /^clients/,
    title: () => 'A light query beside clients of the viewer: 99 of 100 take at most this time, ms (lower is better)',
    labels: [0],
    unit: 'clients',
    series: [{ column: 3, header: 'p99, ms', name: 'p99' }],
  },
  {
    topic: 'soak',
    header: /^other clients/,
    title: () => 'A light query in a soak: 99 of 100 take at most this time, ms (lower is better)',
    labels: [0],
    series: [{ column: 3, header: 'p99, ms', name: 'p99' }],
  },
  {
    topic: 'scale',
    header: /^table or index/,
    title: () => 'Bytes a report on PostgreSQL',
    labels: [0],
    series: [{ column: 4, header: 'bytes a report', name: 'bytes' }],
  },
];

/** Lengths in pixels. A bar is at most `longest` of the width, so that its figure fits beside it. */
const [label, bar, gap, longest] = [18, 12, 12, 0.8];

/** Returns a page with a chart above each table that has one. Throws if a topic lacks a table that has a chart. */
export function drawCharts(html) {
  // The picture of the README has a theme of its own.
  const page = html.includes('<!-- bench:hash -->') ? html.replace(/<p><img [^>]*hash\.svg[^>]*><\/p>/, '') : html;
  return page.replace(/<!-- bench:(\w+) -->[\s\S]*?<!-- \/bench:\1 -->/g, (part, topic) => {
    const charts = CHARTS.filter((chart) => chart.topic === topic);
    const drawn = new Set();
    const result = part.replace(/<table>[\s\S]*?<\/table>/g, (table) => {
      const [header, ...rows] = readTable(table);
      const chart = charts.find((one) => one.header.test(header[0].text));
      if (!chart) return table;
      drawn.add(chart);
      for (const { column, header: expected } of chart.series)
        if (header[column]?.text !== expected)
          throw new Error(`bench:${topic} expected column ${column} "${expected}"`);
      return draw(chart, header[0].text, rows) + table;
    });
    const missing = charts.find((chart) => !drawn.has(chart));
    if (missing) throw new Error(`bench:${topic} expected a table that begins with ${missing.header}, got none`);
    return result;
  });
}

/** Returns the rows of a table: the text of each cell, and whether it is bold. */
function readTable(table) {
  return [...table.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row]) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell]) => ({
      text: cell.replace(/<[^>]*>/g, '').trim(),
      isBold: cell.includes('<strong>'),
    })),
  );
}

function draw({ title, labels, unit, series }, header, rows) {
  const bars = rows
    .map((cells) => ({
      // A name that is a number alone says too little.
      name: labels
        .map((column) => cells[column].text)
        .map((text) => (unit !== undefined && /^[\d,]+$/.test(text) ? `${text} ${unit}` : text))
        .join(', '),
      isOurs: cells[labels[0]].isBold,
      values: series.map(({ column }) => cells[column].text.split(' ')[0]),
    }))
    .filter(({ name, values }) => name !== 'all' && values.every((value) => value !== ''));
  const most = Math.max(...bars.flatMap(({ values }) => values.map(toNumber)));
  const heading = title(header);
  const isPair = series.length > 1;
  const anyOurs = bars.some(({ isOurs }) => isOurs);
  const step = label + series.length * bar + gap;
  const lines = bars.flatMap(({ name, isOurs, values }, at) => {
    const top = at * step;
    return [
      `<text x="0" y="${top + 13}"${isOurs ? ' class="ours"' : ''}>${name}</text>`,
      ...values.flatMap((value, of) => {
        const width = (toNumber(value) / most) * longest * 100;
        const y = top + label + of * bar;
        const shade = isPair ? of === 0 : !anyOurs || isOurs;
        return [
          `<rect class="${shade ? 'ours' : 'other'}" x="0" y="${y}" width="${Math.max(width, 0.3).toFixed(2)}%" height="${bar - 2}" rx="2"/>`,
          `<text class="figure" x="${width.toFixed(2)}%" dx="6" y="${y + 9}">${value}</text>`,
        ];
      }),
    ];
  });
  const keys = isPair
    ? `<span class="keys">${series.map(({ name }, of) => `<span class="${of === 0 ? 'ours' : 'other'}">${name}</span>`).join('')}</span>`
    : '';
  return (
    `<figure class="chart"><figcaption>${heading}${keys}</figcaption>` +
    `<svg role="img" aria-label="Bar chart. The table below has its figures." width="100%" height="${bars.length * step - gap}">${lines.join('')}</svg></figure>`
  );
}

/** Figures have commas between thousands. */
function toNumber(text) {
  const value = Number(text.replaceAll(',', ''));
  if (Number.isNaN(value)) throw new Error('a chart expected a number, got other text');
  return value;
}
