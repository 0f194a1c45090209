import type { PanelHealth } from './health.ts';
import { ALLOW_LIST } from './operator/allow-list.tsx';
import { AUDIT } from './operator/audit.tsx';
import { DISPUTES } from './operator/disputes.tsx';
import { OPERATORS } from './operator/operators.tsx';
import { createOverview } from './operator/overview.tsx';
import { REPORTERS } from './operator/reporters.tsx';
import { ALL_REPORTS } from './operator/reports.tsx';
import type { PanelPage } from './page.ts';
import { OWN_DISPUTES } from './reporter/disputes.tsx';
import { KEYS } from './reporter/keys.tsx';
import { LOOK_UP } from './reporter/look-up.tsx';
import { MANY } from './reporter/many.tsx';
import { OVERVIEW } from './reporter/overview.tsx';
import { REPORT } from './reporter/report.tsx';
import { REPORTS } from './reporter/reports.tsx';

/** Returns the pages of reporters and of the operator, in the order of the navigation. */
export function createPanelPages(health?: PanelHealth): readonly PanelPage[] {
  const ofOperator = [createOverview(health), DISPUTES, ALL_REPORTS, REPORTERS, ALLOW_LIST, AUDIT, OPERATORS];
  return [LOOK_UP, REPORT, MANY, OVERVIEW, REPORTS, OWN_DISPUTES, KEYS, ...ofOperator];
}
