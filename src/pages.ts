/**
 * Pages for people. Pass them to `createAnswer`, `createFetchHandler` or `createListener` as the option `pages`.
 *
 * @module redflag/pages
 */
export type { PublicReport } from './domain/report.ts';
export type { Refusal } from './domain/refusal.ts';
export type { Verdict } from './domain/verdict.ts';
export type { PublicRecord } from './engine/record.ts';
export type { Page, Pages, PagesPlace, RecordPlace, RefusedPlace } from './http/pages.ts';
export type { Service } from './engine/service.ts';
export type { HttpReply, HttpRequest } from './http/exchange.ts';
export { createPages, type PagesOptions } from './web/pages.ts';
export type { Part, Place } from './web/part.ts';
export { createPanel, type PanelOptions } from './panel/panel.tsx';
export type { PanelEngine } from './panel/page.ts';
export {
  createPanelHealth,
  type HealthFigures,
  type HealthHour,
  type PanelHealth,
  type PanelHealthOptions,
} from './panel/health.ts';
