import type { ComponentChildren } from 'preact';
import type { PersonalDataKind } from '../../core/domain/personal-data.ts';
import { formatSentence, type Message, type Sentence } from '../../core/domain/calculation.ts';
import { OTHER_DATA } from '../../core/domain/public-record.ts';
import type { EN } from './messages/en.ts';

export type MessageName = keyof typeof EN;
export type Messages = Readonly<Record<MessageName, Message>>;

/** The messages that name what is found in a text. */
export const PERSONAL_DATA_NAMES: Readonly<Record<PersonalDataKind, MessageName>> = {
  email: 'kind.email',
  phone: 'kind.phone',
  ip: 'kind.ip',
  card: 'data.card',
  iban: 'data.iban',
};

/** What a page says in one language. */
export class Words {
  /** Code of the language (BCP 47). */
  readonly language: string;
  readonly #messages: Messages;
  readonly #plurals: Intl.PluralRules;
  readonly #lists: Intl.ListFormat;
  readonly #region: string;
  readonly #long: Intl.DateTimeFormat;
  readonly #day: Intl.DateTimeFormat;

  /** `region`: whose way to write dates, if the language has several. */
  constructor(language: string, messages: Messages, region = language) {
    this.language = language;
    this.#messages = messages;
    this.#region = region;
    this.#plurals = new Intl.PluralRules(region);
    this.#lists = new Intl.ListFormat(region);
    this.#long = new Intl.DateTimeFormat(region, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
    this.#day = new Intl.DateTimeFormat(region, { dateStyle: 'medium', timeZone: 'UTC' });
  }

  /** Returns a message as text. */
  say(name: MessageName, values: Readonly<Record<string, string | number>> = {}): string {
    return this.#partsOf(name, values).join('');
  }

  /** Returns a message whose values may be elements, such as links. */
  show(name: MessageName, values: Readonly<Record<string, ComponentChildren>>): ComponentChildren {
    return this.#partsOf(name, values);
  }

  /** Returns the messages with these names, for {@link Words} in a script. */
  pick<Name extends MessageName>(names: readonly Name[]): Pick<Messages, Name> {
    return Object.fromEntries(names.map((name) => [name, this.#messages[name]])) as Pick<Messages, Name>;
  }

  /** Returns a number with its noun, such as `2 reports`. */
  count(name: 'points' | 'reports' | 'organisations' | 'otherOrganisations', n: number): string {
    return this.say(name, { n });
  }

  /** Returns the name of a kind of identifier or an offence type; one without a message as it is, without `_`. */
  nameOf(group: 'kind' | 'type', name: string): string {
    const message = `${group}.${name === OTHER_DATA ? 'other' : name}`;
    return Object.hasOwn(this.#messages, message) ? this.say(message as MessageName) : name.replaceAll('_', ' ');
  }

  /** Returns `a, b and c`. */
  list(items: readonly string[]): string {
    return this.#lists.format(items);
  }

  /** Returns a moment (ms) in UTC, and says so: pages without a script do not know the reader's time zone. */
  time(at: number): string {
    return `${this.#long.format(at)} UTC`;
  }

  /** Returns a number with so many decimals, or up to `most`. */
  number(value: number, decimals: number, most = decimals): string {
    return value.toLocaleString(this.#region, { minimumFractionDigits: decimals, maximumFractionDigits: most });
  }

  /** Returns a sentence of an explanation. */
  tell(sentence: Sentence): string {
    return formatSentence(sentence, this);
  }

  /** Returns the day (UTC) of a moment (ms). */
  day(at: number): string {
    return this.#day.format(at);
  }

  /** Returns how long to wait, rounded up. */
  wait(seconds: number): string {
    if (seconds <= 90) return this.say('wait.seconds', { n: Math.ceil(seconds) });
    const minutes = Math.ceil(seconds / 60);
    if (minutes <= 90) return this.say('wait.minutes', { n: minutes });
    return this.say('wait.hours', { n: Math.ceil(minutes / 60) });
  }

  #partsOf<Value>(name: MessageName, values: Readonly<Record<string, Value>>): (string | Value)[] {
    const message: Message = this.#messages[name];
    const { n } = values;
    const text =
      typeof message === 'string'
        ? message
        : (message[typeof n === 'number' ? this.#plurals.select(n) : 'other'] ?? message.other);
    // Every second part is the name of a value.
    return text.split(/\{(\w+)\}/).map((part, at) => (at % 2 === 0 ? part : (values[part] ?? part)));
  }
}
