// Plugin of typedoc: in comments, turns `protocol 4.2` into a link to the section of docs/protocol.md. Lists and ranges
// work too: `protocol 2.1, 4.2 to 4.4`. A section that does not exist is a warning of typedoc.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Converter } from 'typedoc';

const PAGE = resolve('docs/protocol.md');
const SECTIONS = /\bprotocol\s\d(?:\.\d)?(?:(?:,\s|\sto\s|\sand\s)\d(?:\.\d)?)*/gi;
const SECTION = /(?:protocol\s)?(\d(?:\.\d)?)/gi;

/** Returns the anchor of each section by its number, as typedoc makes them from headings. */
function readAnchors() {
  const headings = readFileSync(PAGE, 'utf8').matchAll(/^#+ ((\d(?:\.\d)?)\.? .+)$/gm);
  return new Map(
    [...headings].map(([, heading, number]) => [
      number,
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ]),
  );
}

export function load(app) {
  const anchors = readAnchors();

  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    const { target } = project.files.registerAbsolute(PAGE);

    const linkTo = (text, number) => {
      const anchor = anchors.get(number);
      if (anchor === undefined) app.logger.warn(`docs/protocol.md has no section ${number}, which a comment names`);
      return [
        { kind: 'text', text: `[${text}](` },
        { kind: 'relative-link', text: `protocol.md#${anchor}`, target, targetAnchor: anchor },
        { kind: 'text', text: ')' },
      ];
    };
    const withLinks = (part) =>
      part.kind === 'text'
        ? split(part.text, SECTIONS).flatMap(([text, isMatch]) =>
            isMatch
              ? split(text, SECTION).flatMap(([word, number]) =>
                  number ? linkTo(word, number[1]) : [{ kind: 'text', text: word }],
                )
              : [{ kind: 'text', text }],
          )
        : [part];

    for (const { comment } of Object.values(project.reflections)) {
      if (!comment) continue;
      comment.summary = comment.summary.flatMap(withLinks);
      for (const tag of comment.blockTags) tag.content = tag.content.flatMap(withLinks);
    }
  });
}

/** Splits a text into matches of a pattern and the texts between them: each with its match, if it is one. */
function split(text, pattern) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push([text.slice(end, match.index), undefined], [match[0], match]);
    end = match.index + match[0].length;
  }
  parts.push([text.slice(end), undefined]);
  return parts.filter(([part]) => part !== '');
}
