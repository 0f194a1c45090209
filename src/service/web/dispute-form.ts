import { DISPUTE_BOUNDS } from '../../core/domain/dispute.ts';
import { toIdentifier, type Identifier } from '../../core/domain/identifier.ts';
import { accept, refuse, type Outcome } from '../../core/domain/refusal.ts';
import { collectFields, isReserved } from '../../core/protocol/form.ts';

/** What a person asks for. The engine validates the reason and the number of identifiers. */
export interface DisputeForm {
  readonly identifiers: readonly Identifier[];
  readonly reason: string;
  readonly about?: readonly string[];
}

/** Header of the answer with the number of the case. */
export const CASE_HEADER = 'X-Case-Number';
/** Field with the number of a case. No field of the protocol. */
export const CASE_FIELD = '_case';
/** Names a report or a reporter, once or several times. No field of the protocol. */
const ABOUT = '_about';
/** Identifiers, the reason, and one more, so that too many identifiers are refused as such. */
const MAX_FIELDS = 5;
/** All of them, with those that name reports. */
export const MAX_DISPUTE_FIELDS = MAX_FIELDS + DISPUTE_BOUNDS.about;

/**
 * Parses the form of a request for a dispute, given as decoded pairs. Each identifier is a field with the name of its
 * kind, `_text` is the reason, and each `_about` names a report or a reporter. Refuses as a form of the protocol does
 * (protocol 4.1): first the structure, then unknown and missing fields, then identifiers.
 */
export function readDisputeForm(fields: Iterable<readonly [string, string]>): Outcome<DisputeForm> {
  const sent = [...fields];
  const about = sent.flatMap(([name, value]) => (name === ABOUT && value.trim() !== '' ? [value] : []));
  if (about.length > DISPUTE_BOUNDS.about) return refuse({ reason: 'too-many-fields', limit: MAX_DISPUTE_FIELDS });
  const structure = collectFields(
    sent.filter(([name]) => name !== ABOUT),
    MAX_FIELDS,
  );
  if (!structure.ok) return structure;
  const identifiers: Identifier[] = [];
  for (const [name, value] of structure.value) {
    if (name === '_text') continue;
    if (isReserved(name)) return refuse({ reason: 'unknown-field', field: name });
    const identifier = toIdentifier(name, value);
    if (!identifier.ok) return identifier;
    identifiers.push(identifier.value);
  }
  const reason = structure.value.get('_text');
  if (reason === undefined) return refuse({ reason: 'missing-field', field: '_text' });
  return accept({ identifiers, reason, about });
}
