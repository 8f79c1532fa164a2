import type { VenueRequest } from './adapter.ts';

/** A query parameter of the request that was answered; undefined without a request or without the parameter. */
export function requestParam(request: VenueRequest | undefined, name: string): string | undefined {
  if (request === undefined) return undefined;
  const q = request.path.indexOf('?');
  if (q < 0) return undefined;
  return new URLSearchParams(request.path.slice(q + 1)).get(name) ?? undefined;
}
