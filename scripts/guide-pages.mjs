// Renders guides for the pages `/docs` and `/docs/points` of a service, once for each build.
import MarkdownIt from 'markdown-it';

/**
 * Returns the HTML after the title, and the headings of both levels with their anchors. With `hasSmallTables`, each
 * table fits a phone.
 */
export function renderGuide(text, hasSmallTables) {
  const markdown = new MarkdownIt({ html: false });
  const headings = [];
  const { rules } = markdown.renderer;

  markdown.core.ruler.push('anchors', ({ tokens }) => {
    for (const [at, token] of tokens.entries()) {
      if (token.type !== 'heading_open') continue;
      const inline = tokens[at + 1];
      const id = toAnchor(inline.content);
      token.attrSet('id', id);
      const level = Number(token.tag.slice(1));
      if (level > 1) headings.push({ id, level, text: inline.children.map(({ content }) => content).join('') });
    }
  });
  // The files of other guides are not part of a service: their links become text.
  markdown.core.ruler.push('links', ({ tokens }) => {
    for (const { children } of tokens.filter(({ type }) => type === 'inline')) {
      const isForeign = [];
      for (const token of children) {
        if (token.type === 'link_open') isForeign.push(!token.attrGet('href').startsWith('#'));
        if (token.type === 'link_open' ? isForeign.at(-1) : token.type === 'link_close' && isForeign.pop())
          Object.assign(token, { type: 'text', tag: '', content: '' });
      }
    }
  });
  // A wide table, or a long line of code, scrolls in its own box, also by keyboard.
  rules.table_open = () =>
    hasSmallTables
      ? '<table class="compact">\n'
      : '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>\n';
  rules.table_close = () => (hasSmallTables ? '</table>\n' : '</table></div>\n');
  rules.th_open = () => '<th scope="col">';
  const escape = markdown.utils.escapeHtml;
  rules.fence = (tokens, at) => `<pre tabindex="0"><code>${escape(tokens[at].content.trimEnd())}</code></pre>\n`;

  // The page has its own title.
  const [, body] = /^# [^\n]+\n([\s\S]*)$/.exec(text) ?? [];
  if (body === undefined) throw new Error('a guide expected a title in its first line, got none');
  // The corner of a table with two headers.
  const html = markdown.render(body).replaceAll('<th scope="col"></th>', '<td></td>');
  return { html, headings };
}

/** The anchors of GitHub, so that links within the document work in both places. */
function toAnchor(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
