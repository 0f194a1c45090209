import type { Visitor } from '../page.ts';

/** Returns the reporter of the visitor. Its pages are shown to no other visitor: throws for the operator. */
export function ownId({ reporterId }: Visitor): string {
  if (reporterId === null) throw new Error('a page of a reporter was shown to the operator');
  return reporterId;
}
