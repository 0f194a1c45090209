/**
 * Returns a bar chart as SVG. Each bar is a speed as a multiple of the reference. The colours follow the reader's light
 * or dark theme.
 */
export function barChart({ title, description, bars }) {
  const [left, right, row, top] = [250, 90, 26, 64];
  const width = 760;
  const height = top + bars.length * row + 34;
  const step = [1, 2, 5, 10, 20, 50].find((size) => Math.max(...bars.map(({ value }) => value)) / size <= 8) ?? 100;
  const most = Math.ceil(Math.max(...bars.map(({ value }) => value)) / step) * step;
  const x = (value) => left + (value / most) * (width - left - right);
  const escape = (text) =>
    text.replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character]);
  const ticks = Array.from({ length: most / step + 1 }, (_, at) => at * step);
  const label = (value) => `${value < 0.1 ? value.toFixed(2) : value < 10 ? value.toFixed(1) : value.toFixed(0)}×`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description" font-family="system-ui, sans-serif" font-size="13">`,
    `<title id="title">${escape(title)}</title>`,
    `<desc id="description">${escape(description)}</desc>`,
    '<style>.back{fill:#fff}text{fill:#1f2328}.quiet{fill:#59636e}.line{stroke:#d1d9e0}.bar{fill:#8c959f}.ours{fill:#c2410c}',
    '@media(prefers-color-scheme:dark){.back{fill:#0d1117}text{fill:#e6edf3}.quiet{fill:#9198a1}.line{stroke:#30363d}.bar{fill:#656c76}.ours{fill:#f97316}}</style>',
    `<rect class="back" width="${width}" height="${height}"/>`,
    `<text x="12" y="24" font-size="16" font-weight="600">${escape(title)}</text>`,
    `<text x="12" y="44" class="quiet">${escape(description)}</text>`,
    ...ticks.map(
      (tick) =>
        `<line class="line" x1="${x(tick)}" x2="${x(tick)}" y1="${top - 8}" y2="${height - 28}"/><text class="quiet" x="${x(tick)}" y="${height - 10}" text-anchor="middle">${tick}×</text>`,
    ),
    ...bars.flatMap(({ name, value, ours }, at) => {
      const y = top + at * row;
      return [
        `<text x="${left - 10}" y="${y + 13}" text-anchor="end"${ours ? ' font-weight="600"' : ''}>${escape(name)}</text>`,
        `<rect class="${ours ? 'ours' : 'bar'}" x="${left}" y="${y}" width="${Math.max(1, x(value) - left).toFixed(1)}" height="${row - 9}" rx="2"/>`,
        `<text x="${(Math.max(left, x(value)) + 6).toFixed(1)}" y="${y + 13}">${label(value)}</text>`,
      ];
    }),
    '</svg>',
    '',
  ].join('\n');
}
