import type { PanelHealth } from '../health.ts';
import type { PanelPage } from '../page.ts';
import { ALLOW_LIST } from './allow-list.tsx';
import { AUDIT } from './audit.tsx';
import { DISPUTES } from './disputes.tsx';
import { createOverview } from './overview.tsx';
import { REPORTERS } from './reporters.tsx';

/** Returns the operator's pages, in the order of the navigation. Without `health`, no requests are shown. */
export function createOperatorPages(health?: PanelHealth): readonly PanelPage[] {
  return [createOverview(health), DISPUTES, REPORTERS, ALLOW_LIST, AUDIT];
}
