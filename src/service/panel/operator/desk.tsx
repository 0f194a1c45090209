import type { ComponentChildren } from 'preact';
import { formatWhole } from '../../../core/domain/text.ts';
import type { Said } from '../page.ts';
import { Spot } from '../parts.tsx';

/** One case in the list of a {@link Desk}. */
interface Line {
  readonly title: string;
  /** What somebody wrote. Its beginning is shown. */
  readonly said: string;
  readonly about: string;
  readonly more: string;
  readonly page: string;
  readonly isCurrent: boolean;
}

/** Characters of a text that a line has. The style cuts it where the line ends. */
const SHOWN = 80;

/** Cases in a list, and beside it the one that is open. On a narrow screen, the list is below it. */
export function Desk({
  label,
  said,
  undo,
  lines,
  more,
  keys,
  children,
}: {
  readonly label: string;
  readonly said: Said | undefined;
  /** What takes the last decision back. */
  readonly undo?: ComponentChildren;
  readonly lines: readonly Line[];
  /** Cases that the list leaves out. */
  readonly more: number;
  /** What single keys do. */
  readonly keys: string;
  readonly children: ComponentChildren;
}) {
  const at = lines.findIndex(({ isCurrent }) => isCurrent);
  return (
    <div class="desk">
      <div id={said?.at === 'case' ? undefined : 'case'} tabIndex={-1}>
        <Spot id="case" said={said} />
        {undo}
        {children}
      </div>
      <nav aria-label={label}>
        <p class="quiet keys">
          <span>{keys}. While a step with a text is open, letters are text.</span>{' '}
          <button type="button" class="button quiet" data-switch-keys hidden />
        </p>
        <ul>
          {lines.map(({ title, said: text, about, more: age, page, isCurrent }, n) => (
            <li key={page}>
              <a
                href={page}
                aria-current={isCurrent ? 'true' : undefined}
                data-key={n === at + 1 ? 'j' : n === at - 1 ? 'k' : undefined}
              >
                <span class="line">{title}</span>
                {text !== '' && <span class="begins">{[...text].slice(0, SHOWN).join('')}</span>}
                <span class="quiet">{about}</span>
                <span class="quiet">{age}</span>
              </a>
            </li>
          ))}
        </ul>
        {more > 0 && <p class="quiet">{formatWhole(more)} more follow.</p>}
      </nav>
    </div>
  );
}
