import { ICON, STYLE } from '../../lab/page/style.ts';
import { POLICY } from './policy.ts';
import { PLAYGROUND_STYLE } from './style.ts';

/** The static files of the page. Addresses are relative, so any folder of any server will do. */
export const FILES: Readonly<Record<string, string>> = {
  'playground.css': `${STYLE}\n${PLAYGROUND_STYLE}`.trim(),
  'index.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${POLICY}">
    <title>redflag playground</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="description" content="Report, query and score in your browser. Nothing leaves the page.">
    <link rel="icon" href="${ICON}">
    <link rel="stylesheet" href="./playground.css">
    <script type="module" src="./playground.js"></script>
  </head>
  <body>
    <main class="wide">
      <h1>Playground</h1>
      <p>Report, query and score in your browser, with the real engine. There is no server.</p>
      <div id="playground"><p class="quiet" role="status">Loading…</p></div>
      <noscript><p>The playground is a program. It needs JavaScript.</p></noscript>
    </main>
  </body>
</html>
`,
};
