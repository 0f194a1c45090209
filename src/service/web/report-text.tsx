import type { ComponentChildren } from 'preact';
import type { PublicReport } from '../../core/domain/report.ts';
import { nameOfType } from './words.tsx';

/** What a report says: its type as a heading, its severity, and its text. It is the first part of a `.report`. */
export function ReportText({
  report: { type, severity, text },
  heading: Heading = 'h3',
  children,
}: {
  readonly report: Pick<PublicReport, 'type' | 'severity' | 'text'>;
  readonly heading?: 'h2' | 'h3' | 'h4';
  /** What follows the severity, such as a tag. */
  readonly children?: ComponentChildren;
}) {
  return (
    <>
      <header>
        <Heading>{nameOfType(type)}</Heading>
        <span class="quiet">severity {severity} of 10</span>
        {children}
      </header>
      <p class="said">{text}</p>
    </>
  );
}
