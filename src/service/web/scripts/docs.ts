// The page of the protocol: fills the samples with what the visitor types, and copies them. Sends and stores nothing.
import { PLACEHOLDERS, toSample, type Language, type SampleAction } from '../samples.ts';
import { withoutTrailing } from '../../../core/domain/text.ts';

const form = document.getElementById('values') as HTMLFormElement;
const codes = [...document.querySelectorAll<HTMLElement>('code[data-language]')];
const find = (id: string): HTMLInputElement => document.getElementById(id) as HTMLInputElement;
const typed = (id: string): string => find(id).value.trim();
const baseUrl = find('base-url');

form.hidden = false;
form.addEventListener('input', fill);
form.addEventListener('submit', (event) => event.preventDefault());
// A browser may restore what was typed before a reload.
fill();
for (const code of codes) addCopyButton(code);

function fill(): void {
  const values = {
    baseUrl: withoutTrailing(typed('base-url'), '/') || baseUrl.defaultValue,
    apiKey: typed('api-key') || PLACEHOLDERS.apiKey,
    kind: typed('kind') || PLACEHOLDERS.kind,
    hash: typed('hash') || PLACEHOLDERS.hash,
    type: form.dataset['type']!,
    text: typed('text') || PLACEHOLDERS.text,
    deletionCode: typed('deletion-code') || PLACEHOLDERS.deletionCode,
  };
  for (const code of codes) {
    const { language, action } = code.dataset as { language: Language; action: SampleAction };
    code.textContent = toSample(language, action, values);
  }
}

function addCopyButton(code: HTMLElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  // What the button says changes, and a screen reader says so.
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    button.textContent = (await copy(code)) ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  code.closest('.sample')!.append(button);
}

/** Browsers have a clipboard only under HTTPS. Elsewhere the text is selected, and an older command copies it. */
async function copy(code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent!);
    return true;
  } catch {
    getSelection()?.selectAllChildren(code);
    return document.execCommand('copy');
  }
}
