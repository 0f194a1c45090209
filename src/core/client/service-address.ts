import { parseBaseUrl } from '../protocol/link.ts';

/**
 * Returns the base address of a service (protocol 4) without a slash at the end. The address of the form endpoint,
 * which ends in `/api` or `/api/`, counts as well. Throws TypeError that names `label` but not the value.
 */
export function serviceAddress(label: string, value: string): string {
  const { origin, path } = parseBaseUrl(label, value);
  return `${origin}${path.replace(/\/api$/, '')}`;
}
