// The page that reports: says which personal data its text seems to have. The service decides.
import { findPersonalData, kindsOf, PERSONAL_DATA } from '../../../core/domain/personal-data.ts';

// Of the document: the look-up shows the form without loading its page.
document.addEventListener('input', ({ target }) => {
  const said = document.querySelector('[data-personal]');
  if (!said || !(target instanceof HTMLTextAreaElement) || target.name !== 'text') return;
  const kinds = kindsOf(findPersonalData(target.value)).map((kind) => PERSONAL_DATA[kind]);
  const words =
    kinds.length === 0 ? '' : `The text seems to have: ${kinds.join(', ')}. Everyone can read it: remove it.`;
  // A screen reader says each change.
  if (said.textContent !== words) said.textContent = words;
});
