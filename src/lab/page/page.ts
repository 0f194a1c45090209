import { toSourceHash } from '../../core/crypto/crypto.ts';
import { requireList, requireObject } from '../options.ts';
import type { LabResult } from '../result.ts';
import { attacks } from './attacks.ts';
import { calibration } from './calibration.ts';
import { differences } from './differences.ts';
import { heading } from './heading.ts';
import { html, raw, type Markup } from './markup.ts';
import { misses } from './misses.ts';
import { modelsTable, subsetTables } from './models-table.ts';
import { ranking } from './ranking.ts';
import { scores } from './scores.ts';
import { standings } from './standings.ts';
import { LAB_STYLE, STYLE } from './style.ts';
import { thresholds } from './thresholds.ts';

const PAGE_STYLE = STYLE + LAB_STYLE;

/**
 * Returns a result as one HTML document without scripts and without requests. The same result gives the same bytes.
 * Throws TypeError for anything but an object with models, RangeError for a result of another version.
 */
export function renderPage(result: LabResult): string {
  requireObject('result', result);
  if (result.version !== 1) throw new RangeError('"result.version" expected 1: use the redflag that made the result');
  const { models } = result;
  requireList('result.models', models);
  return document(
    result.title,
    html`${heading(result)}${thresholds(result)}${models.length > 0 && modelsTable(result)}
    ${differences(result)}${ranking(result)}${calibration(models)}
    ${scores(models)}${attacks(result)}${subsetTables(result)}
    ${misses(models)}${standings(result)}`,
  );
}

/**
 * Returns a page of the lab as one document, which requests nothing. The policy allows only its own style and script.
 * `script` must not contain `</script`.
 */
export function document(title: string, main: Markup, script?: string): string {
  const policy =
    `default-src 'none'; ${script === undefined ? '' : `script-src ${toSourceHash(script)}; `}` +
    `style-src ${toSourceHash(PAGE_STYLE)}; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="${policy}">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>${title} – redflag lab</title>
        <style>${raw(PAGE_STYLE)}</style>
      </head>
      <body>
        <main class="wide">${main}</main>
        ${script !== undefined && html`<script>${raw(script)}</script>`}
      </body>
    </html>
    ${raw('\n')}`.text;
}
