/**
 * The environment of a program whose clock is so many milliseconds ahead. A minute has one sealed publication at most,
 * so a service whose clock is a minute ahead of the last publication need not wait. Clients tolerate five minutes.
 */
export function clockAhead(milliseconds: number): { readonly NODE_OPTIONS: string } {
  const program = `const now=Date.now;Date.now=()=>now()+${milliseconds}`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` };
}
