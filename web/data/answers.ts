import { useEffect, useMemo, useState } from 'preact/hooks';
import { readChallenge } from '../../packages/client/src/index.ts';
import { learnClock, serverNow } from '../text/time.ts';
import { type Answer, type Failed, type Ready, together } from './answer.ts';
import { FileAnswer, isFile } from './file-answer.ts';
import { follow, known, LOADING, lookAgain, type Reader } from './reads.ts';
import { within } from './within.ts';

/** True on the operator's port, where all calls are free. */
export const isOperator =
  document.querySelector('meta[name="perpmeter-port"]')?.getAttribute('content') === 'operator';

const TOKEN = 'perpmeter-operator-token';

export function keepToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
  lookAgain();
}

type CallHeaders = Readonly<Record<string, string>>;

/** Headers of every call of this page. */
export function callHeaders(): Record<string, string> {
  const token = isOperator ? sessionStorage.getItem(TOKEN) : null;
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

const bought = new Map<string, Answer<unknown>>();

/** Keeps what was paid for, by path, until the page is closed; of a bundle also what it says of parts without an answer. */
export function keepBought(answers: Iterable<readonly [path: string, answer: Answer<unknown>]>): void {
  for (const [path, answer] of answers) bought.set(path, answer);
  lookAgain();
}

const KEPT = 'perpmeter-purchases';

/** Notes that this browser keeps purchases, so that the next load of the page looks for them. */
export const markKept = (): void => localStorage.setItem(KEPT, '1');
export const hasKept = (): boolean => localStorage.getItem(KEPT) !== null;

export const isBought = (path: string): boolean => bought.has(path);

/** Makes what was bought be asked for again. */
export function dropBought(paths: readonly string[]): void {
  for (const path of paths) bought.delete(path);
  lookAgain();
}

async function failure(response: Response): Promise<Failed> {
  const problem = await response.json().catch(() => ({}));
  const { title = response.statusText, detail = '', candidates = [] } = problem as Partial<Failed>;
  const retryAfterMs = retryAfterOf(response);
  const failed = { state: 'failed', status: response.status, title, detail, candidates } as const;
  return retryAfterMs === undefined ? failed : { ...failed, retryAfterMs };
}

/** The wait that an answer asks for, in seconds or until a date (RFC 9110, 10.2.3), ms; undefined where it names none. */
function retryAfterOf({ headers }: Response): number | undefined {
  const said = headers.get('retry-after')?.trim();
  if (said === undefined) return undefined;
  const ms = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - serverNow();
  return ms > 0 ? ms : undefined;
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

async function call<Body>(path: string, signal: AbortSignal, own: CallHeaders): Promise<Answer<Body>> {
  const headers = { ...callHeaders(), ...own };
  const response = await fetch(path, { headers, signal, cache: 'no-cache' });
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
 * @param headers of this call alone
 */
export async function ask<Body>(
  path: string,
  signal?: AbortSignal,
  limitMs?: number,
  headers: CallHeaders = {},
): Promise<Answer<Body>> {
  const known = bought.get(path);
  // The cache has the answer of each path under that path.
  if (known !== undefined) return known as Answer<Body>;
  try {
    return await within(limitMs, signal, (either) => call<Body>(path, either, headers));
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
    lookAgain();
    return answer;
  } catch {
    return { state: 'offline' };
  }
}

const readerOf =
  <Body>(path: string): Reader<Body> =>
  ({ signal, limitMs }) =>
    ask<Body>(path, signal, limitMs);

/**
 * Reads something now, again every so often while the page is looked at, and at once when it comes back. All parts of the
 * page that show the same share one read.
 * @param key names what is read; undefined reads nothing
 * @param everyMs 0 = once
 */
export function usePolling<Body>(
  key: string | undefined,
  reader: Reader<Body>,
  everyMs: number,
): Answer<Body> {
  const [held, setHeld] = useState<{ key: string | undefined; answer: Answer<Body> }>();
  // `key` names what `reader` reads.
  useEffect(
    () =>
      key === undefined ? undefined : follow(key, everyMs, reader, (answer) => setHeld({ key, answer })),
    [key, everyMs],
  );
  if (key === undefined) return LOADING;
  return held?.key === key ? held.answer : (known(key) as Answer<Body>);
}

export function useAnswer<Body>(path: string | undefined, everyMs = 0): Answer<Body> {
  return usePolling<Body>(path, readerOf(path ?? ''), everyMs);
}

/** Several paths that are shown together; of those of which not all are there, `part` says so. */
export function useAnswers<Body>(paths: readonly string[], everyMs = 0): Answer<readonly Body[]> {
  const key = paths.join(' ');
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const changed = (): void => setVersion((before) => before + 1);
    const ends = paths.map((path) => follow<Body>(path, everyMs, readerOf(path), changed));
    return () => {
      for (const end of ends) end();
    };
  }, [key, everyMs]);
  return useMemo(() => together(paths.map((path) => known(path) as Answer<Body>)), [key, version]);
}
