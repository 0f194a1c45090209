import type { PanelPage } from '../page.ts';
import { KEYS } from './keys.tsx';
import { DISPUTES } from './disputes.tsx';
import { OVERVIEW } from './overview.tsx';
import { REPORTS } from './reports.tsx';

/** The pages of a reporter, in the order of the navigation. */
export const REPORTER_PAGES: readonly PanelPage[] = [OVERVIEW, KEYS, REPORTS, DISPUTES];
