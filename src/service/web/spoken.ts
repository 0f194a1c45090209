import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { EN } from './messages/en.ts';
import { Words } from './words.ts';

export const ENGLISH = new Words('en', EN, 'en-GB');

/** The words of a page. A page without a choice of language is in English. */
export const SpokenWords = createContext(ENGLISH);

/** Returns the words of the page that is rendered. */
export function useWords(): Words {
  return useContext(SpokenWords);
}
