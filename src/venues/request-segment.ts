import type { VenueRequest } from './adapter.ts';

/** What the first group of `pattern` finds in the request's path, percent-decoded; undefined when nothing. */
export function requestSegment(request: VenueRequest | undefined, pattern: RegExp): string | undefined {
  const found = pattern.exec(request?.path.split('?', 1)[0] ?? '')?.[1];
  if (found === undefined || found === '') return undefined;
  try {
    return decodeURIComponent(found);
  } catch {
    return found;
  }
}
