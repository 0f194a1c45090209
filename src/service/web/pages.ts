import { NAME_CHARACTERS } from '../../core/domain/audit.ts';
import { toContact } from '../../core/domain/contact.ts';
import { isHash } from '../../core/domain/identifier.ts';
import { refuseUnknown, requireString, requireWhole } from '../../core/domain/options.ts';
import type { PublicRecord } from '../../core/domain/public-record.ts';
import { isPublicText } from '../../core/domain/text.ts';
import type { Service } from '../../core/engine/service.ts';
import type { Pages, RecordPlace } from '../../core/http/pages.ts';
import { DEFAULT_ITERATIONS, DEFAULT_PREFIX } from '../../core/identifiers/hashing-options.ts';
import { createCasePart } from './case.tsx';
import { createDisputePart } from './dispute.tsx';
import type { Part, PublicOperator } from './part.ts';
import { chooseLanguage, endOfAddress } from './languages.tsx';
import { pointsPart } from './points-part.tsx';
import { createProtocolPart } from './protocol-part.tsx';
import { toRecordPage, type DisputeAddress } from './record.tsx';
import { toRefusedPage } from './refused.tsx';
import { createScriptsPart } from './scripts.ts';
import { createStartPart } from './start-part.tsx';

/** Options of {@link createPages}. */
export interface PagesOptions {
  /**
   * How the clients of the service hash, for the pages that hash: `prefix` (default `service-`) and `iterations`
   * (default 32,000).
   */
  readonly hashing?: { readonly prefix?: string | undefined; readonly iterations?: number | undefined } | undefined;
  /** Who runs the service, at the end of each public page: a name, and a contact as reporters have it. */
  readonly operator?: PublicOperator | undefined;
  /** The panel of reporters and of the operator, from `createPanel`. */
  readonly panel?: Part | undefined;
  /** The playground, from `createPlayground` of `redflag/node`. */
  readonly playground?: Part | undefined;
}

function toOperator({ name, contact, ...unknown }: PublicOperator): PublicOperator {
  refuseUnknown(unknown, [], 'operator.');
  if (!isPublicText(name, NAME_CHARACTERS))
    throw new TypeError(`"operator.name" expected 1 to ${NAME_CHARACTERS} characters`);
  const stored = contact === undefined ? undefined : toContact(contact);
  if (stored?.ok === false)
    throw new TypeError('"operator.contact" expected an email address, an https address or a phone number');
  return { name, contact: stored?.value };
}

/** Returns the addresses of the page that asks for a dispute about a record. */
function addressOfDispute({ link }: PublicRecord, { basePath, linkId, language }: RecordPlace): DisputeAddress {
  const path = isHash(linkId) ? `/dispute/${linkId}` : '/dispute';
  const query = endOfAddress(language);
  return {
    path: basePath + path + query,
    printed: link.replace(/\/report\/[^/]*$/, '') + path,
    ofReport: isHash(linkId) ? (reportId) => `${basePath}${path}/${reportId}${query}` : undefined,
  };
}

/**
 * Returns the pages of a service: `withRecords(engine)` of `redflag/operator`. Throws TypeError or RangeError for a
 * wrong option.
 */
export function createPages(service: Service, options: PagesOptions = {}): Pages {
  refuseUnknown(options, ['hashing', 'operator', 'panel', 'playground']);
  if (service.record === undefined)
    throw new TypeError('"service" expected a service with records, as withRecords of redflag/operator returns');
  refuseUnknown(options.hashing, ['prefix', 'iterations'], 'hashing.');
  const { prefix = DEFAULT_PREFIX, iterations = DEFAULT_ITERATIONS } = options.hashing ?? {};
  requireString('hashing.prefix', prefix);
  requireWhole('hashing.iterations', iterations, 1);
  const hashing = { prefix, iterations };
  const { panel, playground } = options;
  const operator = options.operator && toOperator(options.operator);
  const ofAll = { operator, hasCases: service.requestDispute !== undefined && service.readCase !== undefined };
  const parts = [
    createScriptsPart(),
    createStartPart({
      dispute: service.requestDispute !== undefined,
      panel: panel !== undefined,
      playground: playground !== undefined,
    }),
    createProtocolPart(service, panel !== undefined),
    pointsPart,
    createDisputePart(service, hashing),
    createCasePart(service),
    ...(panel ? [panel] : []),
    ...(playground ? [playground] : []),
  ];
  return {
    languageOf: ({ query, header }) => chooseLanguage(query, header('accept-language')),
    record: (record, place) =>
      toRecordPage(record, { ...place, ...ofAll }, service.requestDispute && addressOfDispute(record, place)),
    refused: (refusal, place) => toRefusedPage(refusal, { ...place, ...ofAll }),
    other(request, place) {
      for (const part of parts) {
        const reply = part(request, { ...place, ...ofAll, hashing });
        if (reply) return reply;
      }
      return undefined;
    },
  };
}
