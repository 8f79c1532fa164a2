import { useEffect, useState } from 'preact/hooks';
import { type Challenge, readChallenge } from '../../packages/client/src/index.ts';
import { learnClock, serverNow } from '../text/time.ts';
import { FileAnswer, isFile } from './file-answer.ts';
import { POLL_LIMIT_MS, within } from './within.ts';

/** The state of one call. `ready` keeps its body while later tries fail; `trouble` says why they did. */
export type Answer<Body> =
  | { readonly state: 'loading' }
  | Ready<Body>
  | Unpaid
  | Failed
  | { readonly state: 'offline' }
  | { readonly state: 'locked' };

/** Calls that are for sale, each with what it costs. */
export interface Unpaid {
  readonly state: 'unpaid';
  readonly calls: readonly UnpaidCall[];
}

export interface UnpaidCall {
  readonly path: string;
  readonly challenge: Challenge | undefined;
}

export interface Ready<Body> {
  readonly state: 'ready';
  readonly body: Body;
  /** When it was read, by the service's clock. */
  readonly at: number;
  /** Time of the oldest value in it. */
  readonly asOf: string | null;
  /** True if it was paid for, and stays as it is. */
  readonly bought: boolean;
  readonly trouble?: 'offline' | Failed;
}

export interface Failed {
  readonly state: 'failed';
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly candidates: readonly { readonly canonical_id: string; readonly venues: readonly string[] }[];
}

/** True on the operator's port, where all calls are free. */
export const isOperator =
  document.querySelector('meta[name="perpmeter-port"]')?.getAttribute('content') === 'operator';

const TOKEN = 'perpmeter-operator-token';

export function keepToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
  changed();
}

/** Headers of every call of this page. */
export function callHeaders(): Record<string, string> {
  const token = isOperator ? sessionStorage.getItem(TOKEN) : null;
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

const bought = new Map<string, Ready<unknown>>();
const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}

/** Keeps an answer that was paid for, until the page is closed. */
export function keepBought(path: string, answer: Ready<unknown>): void {
  bought.set(path, answer);
  changed();
}

export const isBought = (path: string): boolean => bought.has(path);

/** Makes what was bought be asked for again. */
export function dropBought(paths: readonly string[]): void {
  for (const path of paths) bought.delete(path);
  changed();
}

async function failure(response: Response): Promise<Failed> {
  const problem = await response.json().catch(() => ({}));
  const { title = response.statusText, detail = '', candidates = [] } = problem as Partial<Failed>;
  return { state: 'failed', status: response.status, title, detail, candidates };
}

export function readyFrom<Body>(response: Pick<Response, 'headers'>, body: Body, paid: boolean): Ready<Body> {
  return {
    state: 'ready',
    body,
    at: serverNow(),
    asOf: response.headers.get('x-data-as-of'),
    bought: paid,
  };
}

/** JSON, or the file that `format` has asked for. */
async function bodyIn(path: string, response: Response): Promise<unknown> {
  if (!isFile(response.headers)) return response.json();
  return new FileAnswer(path, response.headers, new Uint8Array(await response.arrayBuffer()));
}

async function call<Body>(path: string, signal: AbortSignal): Promise<Answer<Body>> {
  const response = await fetch(path, { headers: callHeaders(), signal, cache: 'no-cache' });
  learnClock(response.headers.get('date'));
  if (response.ok) return readyFrom(response, (await bodyIn(path, response)) as Body, false);
  if (response.status === 402) {
    return { state: 'unpaid', calls: [{ path, challenge: readChallenge(response.headers) }] };
  }
  return response.status === 401 ? { state: 'locked' } : failure(response);
}

/**
 * Asks once. A bought answer is not asked for again.
 * @param limitMs after which the service counts as not to be reached; undefined waits for whatever takes long
 */
export async function ask<Body>(path: string, signal?: AbortSignal, limitMs?: number): Promise<Answer<Body>> {
  const known = bought.get(path);
  // The cache has the answer of each path under that path.
  if (known !== undefined) return known as Ready<Body>;
  try {
    return await within(limitMs, signal, (either) => call<Body>(path, either));
  } catch (cause) {
    if (signal?.aborted) return { state: 'loading' };
    if (cause instanceof SyntaxError) {
      const detail = 'What came is not the answer of this interface.';
      return { state: 'failed', status: 0, title: 'Not readable', detail, candidates: [] };
    }
    return { state: 'offline' };
  }
}

/** Has the operator's port do something; what is shown is read again when it was done. */
export async function send<Body>(path: string, body: unknown): Promise<Answer<Body>> {
  try {
    const headers = { ...callHeaders(), 'content-type': 'application/json' };
    const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (response.status === 401) return { state: 'locked' };
    if (!response.ok) return await failure(response);
    const answer = readyFrom<Body>(response, await response.json(), false);
    changed();
    return answer;
  } catch {
    return { state: 'offline' };
  }
}

const isMissing = (answer: Answer<unknown>): boolean => answer.state === 'failed' && answer.status === 404;

/**
 * Asks for several things at once: all that are there, or what stands in the way; of calls for sale, every one.
 * A call without data is left out, unless all are.
 */
export async function askAll<Body>(
  paths: readonly string[],
  signal: AbortSignal,
  limitMs?: number,
): Promise<Answer<readonly Body[]>> {
  const answers = await Promise.all(paths.map((path) => ask<Body>(path, signal, limitMs)));
  const unpaid = answers.filter((answer) => answer.state === 'unpaid');
  if (unpaid.length > 0) return { state: 'unpaid', calls: unpaid.flatMap(({ calls }) => calls) };
  const ready = answers.filter((answer) => answer.state === 'ready');
  const [first] = ready;
  const others = answers.filter((answer) => answer.state !== 'ready');
  const hindrance =
    others.find((answer) => !isMissing(answer)) ?? (first === undefined ? others[0] : undefined);
  if (hindrance !== undefined) return hindrance;
  if (first === undefined) return { state: 'loading' };
  return { ...first, body: ready.map(({ body }) => body) };
}

/** The next state after a try: a body that was read stays while tries fail. */
function merged<Body>(before: Answer<Body>, next: Answer<Body>): Answer<Body> {
  if (before.state !== 'ready') return next;
  if (next.state === 'offline') return { ...before, trouble: 'offline' };
  if (next.state === 'failed' && next.status >= 500) return { ...before, trouble: next };
  return next;
}

/** Renders again when something was bought or the operator's token was given. */
function usePurchases(): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const listener = (): void => setVersion((before) => before + 1);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  return version;
}

/** Reads as `usePolling` says, until the function that it gives is called. */
export function poll<Body>(
  read: (signal: AbortSignal) => Promise<Answer<Body>>,
  everyMs: number,
  take: (next: Answer<Body>) => void,
): () => void {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let begun = 0;
  let ended = 0;
  const round = async (): Promise<void> => {
    clearTimeout(timer);
    begun += 1;
    const own = begun;
    const next = await read(stop.signal);
    // A try that hung ends after one that began later, and says nothing of now.
    if (stop.signal.aborted || own < ended) return;
    ended = own;
    take(next);
    const final = everyMs === 0 || next.state === 'unpaid' || next.state === 'locked';
    if (!final && !(next.state === 'ready' && next.bought)) timer = setTimeout(look, everyMs);
  };
  const look = (): void => {
    if (document.visibilityState === 'visible') void round();
  };
  void round();
  addEventListener('online', look);
  document.addEventListener('visibilitychange', look);
  return () => {
    stop.abort();
    clearTimeout(timer);
    removeEventListener('online', look);
    document.removeEventListener('visibilitychange', look);
  };
}

/**
 * Reads something now, again every so often while the page is looked at, and at once when it comes back.
 * @param key names what is read; undefined reads nothing
 * @param everyMs 0 = once
 */
export function usePolling<Body>(
  key: string | undefined,
  read: (signal: AbortSignal) => Promise<Answer<Body>>,
  everyMs: number,
): Answer<Body> {
  const version = usePurchases();
  const [held, setHeld] = useState<{ key: string | undefined; answer: Answer<Body> }>({
    key,
    answer: { state: 'loading' },
  });
  // `key` names what `read` reads.
  useEffect(() => {
    if (key === undefined) return;
    return poll(read, everyMs, (next) =>
      setHeld((before) => ({ key, answer: before.key === key ? merged(before.answer, next) : next })),
    );
  }, [key, everyMs, version]);
  return held.key === key ? held.answer : { state: 'loading' };
}

/** A call that is made once may take as long as it does: a file, or a calculation over years. */
const limitOf = (everyMs: number): number | undefined => (everyMs === 0 ? undefined : POLL_LIMIT_MS);

export function useAnswer<Body>(path: string | undefined, everyMs = 0): Answer<Body> {
  return usePolling<Body>(path, (signal) => ask<Body>(path ?? '', signal, limitOf(everyMs)), everyMs);
}

/** Several paths that are shown together. */
export function useAnswers<Body>(paths: readonly string[], everyMs = 0): Answer<readonly Body[]> {
  const key = paths.length === 0 ? undefined : paths.join(' ');
  return usePolling<readonly Body[]>(key, (signal) => askAll<Body>(paths, signal, limitOf(everyMs)), everyMs);
}
