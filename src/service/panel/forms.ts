import { SHA256 } from '../../core/crypto/crypto.ts';
import { SKEW_MS } from '../../core/domain/day.ts';
import { FORM_MS } from '../../core/domain/reporter.ts';
import type { Said } from './page.ts';

const TOKEN = /^([0-9a-z]{1,12})-([0-9a-f]{16})-([0-9a-f]{64})$/;

/**
 * Returns the token of a form that is sent to `path`: when it was shown, 16 fresh hex characters, and the HMAC of path
 * and both under the session. Another site knows neither session nor token. Another session, and a form of another
 * path, have other tokens.
 */
export function createFormToken(session: string, path: string, nowMs: number, fresh: string): string {
  const content = `${nowMs.toString(36)}-${fresh}`;
  return `${content}-${mac(session, `form ${path} ${content}`)}`;
}

/** True for a token of a form that is sent to `path`, which this session got within the last 12 hours. */
export function isFormToken(session: string, path: string, nowMs: number, token: string | undefined): boolean {
  const [, shownAt = '', fresh = '', given = ''] = TOKEN.exec(token ?? '') ?? [];
  const ageMs = nowMs - Number.parseInt(shownAt, 36);
  const isRight = isSame(mac(session, `form ${path} ${shownAt}-${fresh}`), given);
  // The clock of the process that showed the form may be ahead.
  return isRight && ageMs < FORM_MS && ageMs > -SKEW_MS;
}

/** The fields of a query that shows a message. */
export const MESSAGE_FIELDS = ['done', 'at', 'seal'] as const;

/** Returns the query that shows a message at a place after a redirect. Its seal shows that this service wrote it. */
export function sealMessage(session: string, message: string, at: string): string {
  return `?${new URLSearchParams({ done: message, at, seal: sealOf(session, message, at) }).toString()}`;
}

/** Returns the message of a query; undefined if there is none or its seal is wrong. */
export function readMessage(session: string, fields: ReadonlyMap<string, string>): Said | undefined {
  const [text, at = '', seal = ''] = MESSAGE_FIELDS.map((name) => fields.get(name));
  if (text === undefined || !PLACE.test(at) || !isSame(sealOf(session, text, at), seal)) return undefined;
  return { at, isDone: true, text };
}

function sealOf(session: string, message: string, at: string): string {
  return mac(session, `done ${at} ${message}`).slice(0, 32);
}

/** Hidden fields that tell forms of one action apart. */
export type FormIds = Readonly<Record<string, string>>;

/** Only public ids may be part of an address: deletion codes and hashes may not. */
const PUBLIC_IDS = ['reportId', 'requestId', 'keyId'];

/** Returns the id, unique on its page, of what belongs to one of several forms. */
export function idOf(name: string, ids: FormIds = {}): string {
  return [name, ...PUBLIC_IDS.flatMap((one) => ids[one] ?? [])].join('-');
}

const PLACE = /^[a-z][a-z0-9-]{0,79}$/;
/** Place of what forms did that name no place: above the page. */
const ABOVE = 'said';

/** Returns the place of what became of a form: that to which it returns if it did something, otherwise the form. */
export function placeOf(fields: ReadonlyMap<string, string>, isDone: boolean): string {
  const named = (isDone ? fields.get('back') : undefined) ?? fields.get('at') ?? '';
  return PLACE.test(named) ? named : ABOVE;
}

function mac(session: string, text: string): string {
  return SHA256.keyed(session)(`redflag/1 panel ${text}`);
}

/** Compares without stopping at the first difference, so the time reveals nothing about the right text. */
function isSame(expected: string, given: string): boolean {
  if (expected.length !== given.length) return false;
  let difference = 0;
  for (let at = 0; at < expected.length; at++) difference |= expected.charCodeAt(at) ^ given.charCodeAt(at);
  return difference === 0;
}
