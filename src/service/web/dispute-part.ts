import { isHash } from '../../core/domain/identifier.ts';
import type { Outcome } from '../../core/domain/refusal.ts';
import type { Service } from '../../core/engine/service.ts';
import { readFields } from '../../core/http/body.ts';
import { withHeaders, type HttpReply, type HttpRequest } from '../../core/http/exchange.ts';
import { refuseText, TEXT_HEADERS } from '../../core/http/form-answer.ts';
import { refuseWithPage, replyWithPage } from '../../core/http/pages.ts';
import { senderOf } from './sender.ts';
import { readDisputeForm, type DisputeForm } from './dispute-form.ts';
import { OK } from '../../core/protocol/reply.ts';
import { toDisputePage, type PageHashing } from './dispute.tsx';
import type { Part, Place } from './part.ts';
import { toRefusedPage } from './refused.tsx';

/** Enough for 500 characters of four bytes, with each byte written as %XX, and three identifiers. */
const BODY_BYTES = 16_384;
const FIELDS_MOST = 8;

const FOREIGN_FORM: HttpReply = {
  status: 403,
  headers: TEXT_HEADERS,
  body: 'ERROR: The form is from a page of another site.',
};

/**
 * Answers `GET /dispute` and `GET /dispute/<40hex>` with the page, and `POST /dispute` as its script sends it: with OK,
 * or with a refusal in the words of the protocol. The link in the address only leads back to the record, so a request
 * finds the same reports from either address. A form that a browser sends from another site is refused: its visitors
 * would have to answer for it with their limits.
 */
export function createDisputePart(service: Service, hashing: PageHashing): Part {
  if (!service.requestDispute) return () => undefined;
  return (request, place) => {
    const [, first, link, ...more] = place.path.split('/');
    if (first !== 'dispute' || more.length > 0) return undefined;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead) return Promise.resolve(show(place, hashing, link?.toLowerCase()));
    if (request.method === 'POST' && link === undefined) return receive(service, request);
    return Promise.resolve(refuseMethod(link === undefined ? 'GET, HEAD, POST' : 'GET, HEAD'));
  };
}

function show(place: Place, hashing: PageHashing, link: string | undefined): HttpReply {
  if (link === undefined || isHash(link)) return replyWithPage(toDisputePage(place.basePath, hashing, link));
  const refusal = { reason: 'not-found' } as const;
  return refuseWithPage(refusal, toRefusedPage(refusal, { ...place, kind: link === '' ? 'other' : 'record' }));
}

async function receive(service: Service, request: HttpRequest): Promise<HttpReply> {
  const described = await service.describe?.();
  if (senderOf(request, described?.ok ? described.value.publicUrl : '') === 'elsewhere') return FOREIGN_FORM;
  const form = await read(request);
  const filed = form.ok ? await service.requestDispute?.({ ...form.value, client: request.client ?? 'unknown' }) : form;
  return filed?.ok === false ? refuseText(filed.refusal) : { status: 200, headers: TEXT_HEADERS, body: OK };
}

async function read(request: HttpRequest): Promise<Outcome<DisputeForm>> {
  const fields = await readFields(request, BODY_BYTES, FIELDS_MOST);
  return fields.ok ? readDisputeForm(fields.value) : fields;
}

function refuseMethod(allow: string): HttpReply {
  const reply = refuseText({ reason: 'method-not-allowed' });
  return { ...reply, headers: withHeaders(reply.headers, { Allow: allow }) };
}
