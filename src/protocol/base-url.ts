/**
 * Proves a base address (`{base_url}` of spec 4): absolute, http or https, without query, fragment, credentials or dot segments. The answer has its trailing
 * slashes dropped. Throws TypeError, naming `label`; the value is left out because it may hold a password.
 */
export function parseBaseUrl(label: string, value: string): { readonly origin: string; readonly path: string } {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined) throw new TypeError(`"${label}" expected an absolute URL, got another text`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TypeError(`"${label}" expected http or https, got ${url.protocol}`);
  if (url.username !== '' || url.password !== '') throw new TypeError(`"${label}" expected no credentials, got some`);
  // Looked for in the text: `https://example.org/?` has an empty query, which URL does not show.
  if (/[?#]/.test(value)) throw new TypeError(`"${label}" expected no query and no fragment, got one`);
  // Refused instead of resolved: Node 20 leaves `/-/.a/.` as it stands, and the link made of it is then read as another path.
  if (/[/\\](?:\.|%2e){1,2}(?=[/\\]|$)/i.test(value))
    throw new TypeError(`"${label}" expected a path without . and .. segments, got one`);
  return { origin: `${url.protocol}//${url.host}`, path: url.pathname.replace(/\/+$/, '') };
}
