/**
 * The texts of the form protocol, in both directions, without HTTP.
 *
 * @module redflag/protocol
 */
export { DEFAULT_BOUNDS, type Bounds } from './core/domain/bounds.ts';
export type { Identifier } from './core/domain/identifier.ts';
export type { PersonalDataKind } from './core/domain/personal-data.ts';
export type { Outcome, RateLimit, Refusal, RefusalReason } from './core/domain/refusal.ts';
export type { PublicReport, ReportDraft } from './core/domain/report.ts';
export type { QueryResult, Verdict } from './core/domain/verdict.ts';
export { DEFAULT_FIELDS, formatForm, parseForm, type FormRequest } from './core/protocol/form.ts';
export { createLink, hashOfLink, linkNeedsDecoding } from './core/protocol/link.ts';
export { OK, formatError, formatResult, parseError, parseResult } from './core/protocol/reply.ts';
export { formatViewer, parseViewer } from './core/protocol/viewer.ts';
export { formatRefusal } from './core/protocol/wording.ts';
