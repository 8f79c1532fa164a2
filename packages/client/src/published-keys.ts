/** Gives the key document of a service; `isNew`: not one that is kept. Rejects where it cannot be had. */
export type KeySource = (isNew: boolean) => Promise<unknown>;

export interface PublishedKeysOptions {
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Time for the document, ms; default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Unix ms; default the clock. */
  readonly now?: (() => number) | undefined;
}

const PATH = '.well-known/did.json';
const TIMEOUT_MS = 10_000;
const KEPT_MS = 600_000;
/** Names of keys that do not exist are free to invent: they make nobody ask more often than this. */
const APART_MS = 60_000;

/**
 * The key document of a service, fetched when it is needed and kept for ten minutes. A key that it does not have makes it be
 * fetched again, once a minute at most.
 *
 * @param baseUrl the service's address, as its operator publishes it
 */
export function publishedKeys(baseUrl: string, options: PublishedKeysOptions = {}): KeySource {
  const { fetch: ask = fetch, timeoutMs = TIMEOUT_MS, now = Date.now } = options;
  const url = new URL(PATH, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`).href;
  let kept: { readonly document: Promise<unknown>; readonly at: number } | undefined;
  const load = async (): Promise<unknown> => {
    const response = await ask(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw new Error(`${url}: HTTP ${response.status}`);
    return response.json();
  };
  return (isNew) => {
    if (kept !== undefined && now() - kept.at < (isNew ? APART_MS : KEPT_MS)) return kept.document;
    const asked = { document: load(), at: now() };
    kept = asked;
    // A failure is not kept: the next request asks again.
    asked.document.catch(() => {
      if (kept === asked) kept = undefined;
    });
    return asked.document;
  };
}
