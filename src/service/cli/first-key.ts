import type { FirstKey } from '../data-folder/first-key.ts';

/** Returns the line about the first API key; an empty text at a later start. */
export function wordFirstKey(first: FirstKey | undefined): string {
  if (first === undefined) return '';
  if ('apiKey' in first) return `API key: ${first.apiKey}\n`;
  if ('problem' in first)
    return `No API key was written to ${first.file}: ${first.problem}. Create one with redflag keys create\n`;
  return `API key: in the file ${first.file}; delete the file after reading it\n`;
}
