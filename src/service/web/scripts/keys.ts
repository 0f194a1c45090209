// Pages on which single keys press a link, a button or the summary of a step: the one with this key in `data-key`.
import { showLocalTimes } from '../in-page.ts';

showLocalTimes();

document.addEventListener('keydown', (event) => {
  const { key, target, repeat, ctrlKey, metaKey, altKey } = event;
  // A key that is held down must not decide what the person has not seen.
  if (repeat || ctrlKey || metaKey || altKey || !/^[a-z]$/.test(key)) return;
  if (target instanceof HTMLElement && target.closest('input, textarea, select') !== null) return;
  const pressed = document.querySelector<HTMLElement>(`[data-key="${key}"]`);
  if (pressed === null) return;
  event.preventDefault();
  pressed.focus();
  pressed.click();
});
