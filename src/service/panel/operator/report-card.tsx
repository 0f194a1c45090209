import type { ComponentChildren } from 'preact';
import type { PublicReport } from '../../../core/domain/report.ts';
import { Moment, ReportText } from '../../web/parts.tsx';
import type { PanelRequest } from '../page.ts';

/** What a person wrote. It keeps its lines. */
export function Said({ text }: { readonly text: string }) {
  return <span class="said">{text}</span>;
}

/** A report with the text that its reporter wrote, and what the operator can do about it. */
export function ReportCard({
  report,
  reportId,
  reporterId,
  name,
  to,
  children,
}: {
  /** Undefined after the report was deleted. */
  readonly report: PublicReport | undefined;
  readonly reportId: string;
  readonly reporterId: string;
  readonly name: string;
  readonly to: PanelRequest['to'];
  readonly children: ComponentChildren;
}) {
  const reporter = <a href={to(`reporters?id=${reporterId}`)}>{name}</a>;
  if (!report)
    return (
      <article class="card report">
        <header>
          <h2>Deleted report</h2>
          <code class="quiet">{reportId}</code>
        </header>
        <p>{reporter} has deleted this report. A decision still counts for its standing.</p>
        {children}
      </article>
    );
  return (
    <article class="card report">
      <ReportText report={report} heading="h2">
        <code class="quiet">{reportId}</code>
      </ReportText>
      <p class="quiet">
        {reporter}, <Moment at={report.createdAt} />
      </p>
      {children}
    </article>
  );
}
