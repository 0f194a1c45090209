import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { RefusedError } from '../../index.ts';
import { formatRefusal } from '../../protocol.ts';
import { nameOfType } from '../web/parts.tsx';
import type { Desk } from './desk.ts';

const COPIED_MS = 2000;

/** A button that copies a text. `what` completes the name of the button, e.g. `hash`. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [state, setState] = useState<'' | 'Copied' | 'Not copied'>('');
  useEffect(() => {
    if (state === '') return undefined;
    const timer = setTimeout(() => setState(''), COPIED_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setState('Copied'),
      () => setState('Not copied'),
    );
  };
  return (
    <button type="button" class="button small" onClick={copy}>
      {state === '' ? `Copy ${what}` : state}
    </button>
  );
}

/** A choice from names, offence types in words. It goes into a `Labelled`, which gives it its `id`. */
export function Choice({
  value,
  of,
  areTypes = false,
  onChange,
  ...about
}: {
  readonly id?: string;
  readonly value: string;
  readonly of: readonly string[];
  readonly areTypes?: boolean;
  readonly onChange: (value: string) => void;
}) {
  return (
    <select {...about} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {of.map((name) => (
        <option key={name} value={name}>
          {areTypes ? nameOfType(name) : name}
        </option>
      ))}
    </select>
  );
}

/** State of a choice. If the chosen name is no longer there, the first one is. */
export function useChosen(names: readonly string[]): [string, (name: string) => void] {
  const [chosen, setChosen] = useState('');
  return [names.includes(chosen) ? chosen : (names[0] ?? ''), setChosen];
}

/** What unfolds. Its content is made when it is open, and the address of the page keeps that it is. */
export function Fold({
  desk,
  id,
  title,
  kind = 'row',
  children,
}: {
  readonly desk: Pick<Desk, 'open' | 'fold'>;
  readonly id: string;
  readonly title: ComponentChildren;
  readonly kind?: string;
  readonly children: ComponentChildren;
}) {
  const isOpen = desk.open.includes(id);
  return (
    <details
      class={`card row ${kind}`}
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== isOpen) desk.fold(id, currentTarget.open);
      }}
    >
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
}

/** True while the element with the reference is on the screen or near it. */
export function useSeen(): [RefObject<HTMLDivElement | null>, boolean] {
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setSeen(entries.at(-1)!.isIntersecting), {
      rootMargin: '50%',
    });
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  return [place, isSeen];
}

/**
 * Runs a task `delayMs` after `key` has changed, and drops results of older ones. Shows the last result meanwhile, and
 * while `key` is undefined.
 */
export function useLatest<T>(
  task: () => Promise<T>,
  key: string | undefined,
  delayMs = 0,
): { readonly value: T | undefined; readonly error: string } {
  const [state, setState] = useState<{ readonly value: T | undefined; readonly error: string }>({
    value: undefined,
    error: '',
  });
  const done = useRef('');
  useEffect(() => {
    if (key === undefined || key === done.current) return undefined;
    let isCurrent = true;
    const end = (result: typeof state): void => {
      if (!isCurrent) return;
      done.current = key;
      setState(result);
    };
    const timer = setTimeout(() => {
      task().then(
        (value) => end({ value, error: '' }),
        (error: unknown) => end({ value: undefined, error: messageOf(error) }),
      );
    }, delayMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key]);
  return state;
}

/** Returns the message of an error as a sentence. A refusal is in the words of the service. */
export function messageOf(error: unknown): string {
  if (error instanceof RefusedError) return formatRefusal(error.refusal);
  const text = error instanceof Error ? error.message : String(error);
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
}

/** What a part of the page tells the visitor. */
export interface Message {
  /** The place of the message. A screen reader reads it out when it changes. */
  readonly shown: ComponentChildren;
  tell(text: string): void;
  warn(problem: string): void;
  clear(): void;
  /** True while a task runs. */
  readonly isBusy: boolean;
  /** Runs a task without the last message, and shows why it failed, after `failed`. */
  attempt(task: () => Promise<void>, failed?: string): void;
}

/** A message beside what it is about. It stays until the next one, and covers nothing. */
export function useMessage(): Message {
  const [{ text, kind }, setMessage] = useState({ text: '', kind: 'ok' });
  const [running, setRunning] = useState(0);
  const warn = (problem: string): void => setMessage({ text: problem, kind: 'bad' });
  const clear = (): void => setMessage({ text: '', kind: 'ok' });
  return {
    shown: (
      <div role="status" class="message">
        {text !== '' && <p class={`notice ${kind}`}>{text}</p>}
      </div>
    ),
    tell: (said) => setMessage({ text: said, kind: 'ok' }),
    warn,
    clear,
    isBusy: running > 0,
    attempt(task, failed = '') {
      clear();
      setRunning((before) => before + 1);
      task()
        .catch((error: unknown) => warn(failed + messageOf(error)))
        .finally(() => setRunning((before) => before - 1));
    },
  };
}
