// What is changed in each page that TypeDoc has made.

/** Nothing but files of the site. TypeDoc's style and search index have parts with a `data:` address. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // The hash is that of an empty text: TypeDoc's script adds an empty style to each page.
  "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "img-src 'self' data:",
  'connect-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** TypeDoc's script within the page, which chooses the theme. */
const INLINE_SCRIPT = /<script>document\.documentElement\.dataset\.theme[\s\S]*?<\/script>/;

/** Returns the page under the policy of the site. `base` is the relative address of the site's root. */
export function finishPage(html, base) {
  const page = replaceOnce(html, INLINE_SCRIPT, '')
    .replace('<meta charset="utf-8"/>', `$&<meta http-equiv="Content-Security-Policy" content="${POLICY}"/>`)
    .replace('<script defer', `<script src="${base}assets/theme.js"></script>$&`)
    .replaceAll('<a href="#" class="tsd-widget menu"', '<a href="#" role="button" class="tsd-widget menu"')
    // A button has no link inside. The heading keeps its anchor.
    .replace(/<summary[^>]*>[\s\S]*?<\/summary>/g, (summary) => summary.replace(/<a href="#[\s\S]*?<\/a>/, ''))
    // The corner of a table with two headers.
    .replaceAll('<th></th>', '<td></td>')
    .replace(/<table>[\s\S]*?<\/table>/g, (table) => scrolling(table))
    .replace(/<pre>/g, '<pre tabindex="0">')
    .replaceAll('<div class="col-content">', '<div class="col-content" role="main">')
    .replaceAll('<div class="page-menu">', '<div class="page-menu" role="complementary" aria-label="This page">')
    .replace(/href="((?:\.\.\/)+)(#[^"]*)?"/g, 'href="$1index.html$2"')
    .replace(/href="[^"]*\bmedia\/README\.md/g, `href="${base}index.html`)
    .replace(/(href="[^"]*\bmedia\/)([^"#]+)/g, (link, folder, name) =>
      isShownAsText(name) ? `${folder}${name}.txt` : link,
    );
  return orderHeadings(page);
}

/** True for copies of files of the repository, such as configurations. Browsers would run or save them. */
export function isShownAsText(name) {
  return !/\.(?:svg|png|txt)$/.test(name);
}

/** The reference leaves levels of headings out. A screen reader's list of headings would have gaps. */
function orderHeadings(html) {
  let last = 1;
  return html.replace(/<h([1-6])([\s>][\s\S]*?)<\/h\1>/g, (_heading, level, rest) => {
    last = Math.min(Number(level), last + 1);
    return `<h${last}${rest}</h${last}>`;
  });
}

/** Characters of a cell that needs room: beside long names, its column would have one word a line. */
const LONG = 30;

/** A wide table scrolls in its own box, also by keyboard. */
function scrolling(table) {
  const cells = table.replace(/<td>([\s\S]*?)<\/td>/g, (cell, text) =>
    text.replace(/<[^>]*>/g, '').length > LONG ? cell.replace('<td>', '<td class="long">') : cell,
  );
  const names = cells.replace(/<code>[^<]*<\/code>/g, (code) => code.replaceAll('_', '_<wbr/>'));
  return `<div class="table" tabindex="0" role="group" aria-label="Table">${names}</div>`;
}

/** A new version of TypeDoc may write pages differently. Then the build fails instead of the policy. */
function replaceOnce(html, pattern, text) {
  if (!pattern.test(html)) throw new Error(`the page expected ${pattern}, got another form`);
  return html.replace(pattern, text);
}
