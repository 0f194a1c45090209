// What pages of the panel share: copying what is shown once, and single keys. A key presses a link, a button or the
// summary of a step, or focuses a field: the one with this key in `data-key`.
import { copyText, showLocalTimes } from '../in-page.ts';

showLocalTimes();

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copies]')) {
  const text = document.getElementById(button.dataset['copies'] ?? '')?.textContent ?? '';
  button.hidden = false;
  button.addEventListener('click', () => void copyText(button, text));
}

document.addEventListener('keydown', (event) => {
  const { key, target, repeat, ctrlKey, metaKey, altKey } = event;
  // A key that is held down must not decide what the person has not seen.
  if (repeat || ctrlKey || metaKey || altKey || !/^[a-z/]$/.test(key)) return;
  if (target instanceof HTMLElement && target.closest('input, textarea, select') !== null) return;
  const pressed = document.querySelector<HTMLElement>(`[data-key="${key}"]`);
  if (pressed === null) return;
  event.preventDefault();
  pressed.focus();
  if (pressed instanceof HTMLInputElement || pressed instanceof HTMLTextAreaElement) pressed.select();
  else pressed.click();
});
