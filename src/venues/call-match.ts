import type { CallRef } from './adapter.ts';

/** Path of what a call was named by: host, query and any remark behind a blank are cut off. */
function pathOf(ref: CallRef): string {
  const withoutHost = ref.raw.replace(/^[a-z]+:\/\/[^/\s]+/i, '');
  const end = withoutHost.search(/[?\s]/);
  const path = end < 0 ? withoutHost : withoutHost.slice(0, end);
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Matches REST calls by path, with or without host, query or leading slash. */
export function matchesPath(pattern: RegExp): (ref: CallRef) => boolean {
  return (ref) => pattern.test(pathOf(ref));
}

/** Matches channels by any text that names one: the bare channel, a socket address, a subscription frame. */
export function matchesText(pattern: RegExp): (ref: CallRef) => boolean {
  return (ref) => pattern.test(ref.raw);
}
