import type { LabResult } from '../result.ts';
import { attacks } from './attacks.ts';
import { calibration } from './calibration.ts';
import { heading } from './heading.ts';
import { lift } from './lift.ts';
import { html, raw, type Markup } from './markup.ts';
import { misses } from './misses.ts';
import { modelsTable } from './models-table.ts';
import { precisionRecall } from './precision-recall.ts';
import { roc } from './roc.ts';
import { scores } from './scores.ts';
import { STYLE } from './style.ts';
import { subsets } from './subsets.ts';
import { THEME } from './theme.ts';

/** The page asks for nothing, and forbids itself to. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** The result as one HTML document that needs nothing else: no network, no script. The same result gives the same bytes. */
export function renderPage(result: LabResult): string {
  const { models } = result;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${result.title} – redflag lab</title>
<style>${raw(THEME)}${raw(STYLE)}</style>
</head>
<body>
<main>
${heading(result)}
${models.length > 0 && modelsTable(result)}
${ranking(result)}
${calibration(models)}
${scores(models)}
${attacks(result)}
${subsets(result)}
${misses(models)}
</main>
</body>
</html>
`.text;
}

/** The three curves that only ask for the order of queries. */
function ranking(result: LabResult): Markup | undefined {
  const { models } = result;
  const curves = [
    models.some((model) => model.roc.length > 0) && roc(models),
    models.some((model) => model.precisionRecall.length > 0) && precisionRecall(result),
    models.some((model) => model.lift.length > 0) && lift(models),
  ].filter((figure) => figure !== false);
  return curves.length === 0
    ? undefined
    : html`<section><h2>Do ones come first?</h2><div class="grid">${curves}</div></section>`;
}
