/** The two encodings in which a form is read (spec 4.1; silent: 4.1 for multipart, which most PHP clients send). */
export type FormEncoding = 'urlencoded' | 'multipart';

const ENCODINGS: Readonly<Record<string, FormEncoding>> = {
  'application/x-www-form-urlencoded': 'urlencoded',
  'multipart/form-data': 'multipart',
};
const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]*))/gi;

/** The encoding that a Content-Type header names. Undefined for any other type, no header, and a charset that is not UTF-8. */
export function toFormEncoding(header: string | undefined): FormEncoding | undefined {
  if (header === undefined) return undefined;
  const [mediaType = ''] = header.split(';', 1);
  const key = mediaType.trim().toLowerCase();
  if (!Object.hasOwn(ENCODINGS, key)) return undefined;
  for (const [, quoted, plain] of header.matchAll(CHARSET)) {
    if (!/^utf-?8$/i.test(quoted ?? plain ?? '')) return undefined;
  }
  return ENCODINGS[key];
}
