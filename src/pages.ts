/**
 * Pages for people. Pass them to `createAnswer`, `createFetchHandler` or `createListener` as the option `pages`.
 *
 * @module redflag/pages
 */
export type { PublicReport } from './core/domain/report.ts';
export type { Refusal } from './core/domain/refusal.ts';
export type { Verdict } from './core/domain/verdict.ts';
export type { PublicRecord } from './core/domain/public-record.ts';
export type { Page, Pages, PagesPlace, RecordPlace, RefusedPlace } from './core/http/pages.ts';
export type { Service } from './core/engine/service.ts';
export type { HttpReply, HttpRequest } from './core/http/exchange.ts';
export { createPages, type PagesOptions } from './service/web/pages.ts';
export type { PageHashing, Part, Place, PublicOperator } from './service/web/part.ts';
export { createPanel, type PanelOptions } from './service/panel/panel.tsx';
export type { PanelEngine } from './service/panel/page.ts';
export {
  createPanelHealth,
  type HealthFigures,
  type HealthHour,
  type PanelHealth,
  type PanelHealthOptions,
} from './service/panel/health.ts';
