/** Text that is markup already: `html` puts it in as it stands, and escapes everything else. */
export class Markup {
  constructor(readonly text: string) {}
}

/** What may stand in a hole of `html`; `undefined` and `false` leave it empty. */
export type Hole = Markup | string | number | undefined | false | readonly Markup[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML or SVG. Holes are safe in text and in quoted attributes, nowhere else. */
export function html(parts: TemplateStringsArray, ...holes: readonly Hole[]): Markup {
  let text = parts[0]!;
  for (const [index, hole] of holes.entries()) text += fill(hole) + parts[index + 1]!;
  return new Markup(text);
}

/** A text written by the project itself, such as its style sheet, where entities would not be read. */
export function raw(text: string): Markup {
  return new Markup(text);
}

function fill(hole: Hole): string {
  if (hole === undefined || hole === false) return '';
  if (hole instanceof Markup) return hole.text;
  if (typeof hole === 'object') return hole.map((each) => each.text).join('');
  return escape(String(hole));
}

/** Control characters are no text in HTML, even as entities. */
function escape(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
