/** Text with markup. `html` inserts it unchanged and escapes everything else. */
export class Markup {
  constructor(readonly text: string) {}
}

/** Values that `html` accepts. `undefined` and `false` insert nothing. */
export type Hole = Markup | string | number | undefined | false | readonly Markup[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Template tag for HTML and SVG. Inserted values are safe in text and in quoted attributes, nowhere else.
 *
 * A line break in the template, with its indentation, only formats the source. It disappears beside a tag and between
 * two values. Elsewhere, in text or between two attributes, it becomes one space.
 */
export function html(parts: TemplateStringsArray, ...holes: readonly Hole[]): Markup {
  return new Markup(parts.map((part, index) => joinLines(part) + fill(holes[index])).join(''));
}

/** Marks the project's own text as markup, e.g. its style sheet, where HTML has no entities. */
export function raw(text: string): Markup {
  return new Markup(text);
}

function joinLines(part: string): string {
  const [first = '', ...lines] = part.split('\n');
  if (lines.length === 0) return part;
  if (part.trim() === '') return '';
  let joined = first.trimEnd();
  for (const [at, line] of lines.entries()) {
    const isLast = at === lines.length - 1;
    const next = isLast ? line.trimStart() : line.trim();
    if (next !== '' || isLast) joined += (joined.endsWith('>') || next.startsWith('<') ? '' : ' ') + next;
  }
  return joined;
}

function fill(hole: Hole): string {
  if (hole === undefined || hole === false) return '';
  if (hole instanceof Markup) return hole.text;
  if (typeof hole === 'object') return hole.map((each) => each.text).join('');
  return escape(String(hole));
}

/** Control characters are invalid in HTML, even as entities. */
function escape(text: string): string {
  /* oxlint-disable no-control-regex */
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
