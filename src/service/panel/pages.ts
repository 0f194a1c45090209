import type { PanelHealth } from './health.ts';
import { ALLOW_LIST } from './operator/allow-list.tsx';
import { AUDIT } from './operator/audit.tsx';
import { DISPUTES } from './operator/disputes.tsx';
import { createOverview } from './operator/overview.tsx';
import { REPORTERS } from './operator/reporters.tsx';
import type { PanelPage } from './page.ts';
import { DISPUTES as OWN_DISPUTES } from './reporter/disputes.tsx';
import { KEYS } from './reporter/keys.tsx';
import { OVERVIEW } from './reporter/overview.tsx';
import { REPORTS } from './reporter/reports.tsx';

/**
 * Returns all pages of the panel: those of a reporter, then those of the operator, each in the order of the navigation.
 * Without `health`, no requests are shown.
 */
export function createPanelPages(health?: PanelHealth): readonly PanelPage[] {
  const ofReporter = [OVERVIEW, KEYS, REPORTS, OWN_DISPUTES];
  return [...ofReporter, createOverview(health), DISPUTES, REPORTERS, ALLOW_LIST, AUDIT];
}
