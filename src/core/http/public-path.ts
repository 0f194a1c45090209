import type { Service } from '../engine/service.ts';
import { parseBaseUrl } from '../protocol/link.ts';

/** Path before all pages, as browsers see it. */
export interface PublicPath {
  /** Asks the service for its public address; undefined once it has answered. Never rejects. */
  ready(): Promise<void> | undefined;
  /** Returns the path of the public address; before the service has answered, `basePath`. */
  now(): string;
}

/**
 * Returns the path that addresses of pages and cookies begin with. A proxy may strip this path from requests, so
 * `basePath`, which requests have, can be another one.
 */
export function createPublicPath(service: Service, basePath: string): PublicPath {
  let known: string | undefined;
  const ask = async (): Promise<void> => {
    try {
      const described = await service.describe?.();
      if (described?.ok) known = parseBaseUrl('publicUrl', described.value.publicUrl).path;
    } catch {
      // The next request asks again.
    }
  };
  return { ready: () => (known === undefined ? ask() : undefined), now: () => known ?? basePath };
}
