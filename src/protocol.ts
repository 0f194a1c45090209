/**
 * The texts of the form protocol, in both directions, without HTTP.
 *
 * @module redflag/protocol
 */
export { DEFAULT_BOUNDS, type Bounds } from './domain/bounds.ts';
export type { Identifier } from './domain/identifier.ts';
export type { PersonalDataKind } from './domain/personal-data.ts';
export type { Outcome, RateLimit, Refusal, RefusalReason } from './domain/refusal.ts';
export type { PublicReport, ReportDraft } from './domain/report.ts';
export type { QueryResult, Verdict } from './domain/verdict.ts';
export { DEFAULT_FIELDS, formatForm, parseForm, type FormRequest } from './protocol/form.ts';
export { createLink, hashOfLink, linkNeedsDecoding } from './protocol/link.ts';
export { OK, formatError, formatResult, parseError, parseResult } from './protocol/reply.ts';
export { formatViewer, parseViewer } from './protocol/viewer.ts';
export { wordRefusal } from './protocol/wording.ts';
