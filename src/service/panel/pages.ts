import type { PanelHealth } from './health.ts';
import { createOperatorPages } from './operator/pages.ts';
import type { PanelPage } from './page.ts';
import { REPORTER_PAGES } from './reporter/pages.ts';

/** Returns all pages of the panel, in the order of the navigation. Without `health`, no requests are shown. */
export function createPanelPages(health?: PanelHealth): readonly PanelPage[] {
  return [...REPORTER_PAGES, ...createOperatorPages(health)];
}
