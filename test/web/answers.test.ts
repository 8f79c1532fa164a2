import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { POLL_LIMIT_MS } from '../../web/data/within.ts';

/** Of web/data/answers.ts, which is checked with a browser's types. */
interface Answers {
  ask(path: string, signal?: AbortSignal, limitMs?: number): Promise<State>;
}

/** Of web/data/poll.ts. */
interface Poller {
  poll(read: () => Promise<State>, everyMs: number, take: (next: State) => void): Polling;
}

interface Polling {
  look(): void;
  stop(): void;
}

interface State {
  readonly state: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
}

const PATH = '/v1/health';
let answers: Answers;
let poller: Poller;
let comeBack: () => void;

beforeAll(async () => {
  const nothing = (): void => {};
  const events = { addEventListener: nothing, removeEventListener: nothing };
  vi.stubGlobal('document', { ...events, querySelector: () => null, visibilityState: 'visible' });
  vi.stubGlobal('addEventListener', (_: string, listener: () => void) => {
    comeBack = listener;
  });
  vi.stubGlobal('removeEventListener', nothing);
  const file = (name: string): string => new URL(`../../web/data/${name}`, import.meta.url).href;
  answers = (await import(file('answers.ts'))) as Answers;
  poller = (await import(file('poll.ts'))) as Poller;
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => {
  vi.unstubAllGlobals();
});

/** Acts once a signal aborts. */
const onAbort = (signal: AbortSignal, act: (cause: unknown) => void): void =>
  signal.addEventListener('abort', () => act(signal.reason));

/** A service that takes a call, and never answers. */
const hung = (_: string, { signal }: { signal: AbortSignal }) =>
  new Promise<Response>((_answer, fail) => onAbort(signal, fail));

/** One that begins an answer, and never ends it. */
const broken = async (_: string, { signal }: { signal: AbortSignal }) =>
  new Response(new ReadableStream({ start: (body) => onAbort(signal, (cause) => body.error(cause)) }));

/** Lets what waits for nothing but itself come to its end. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
}

/** The answer where there is one by now. */
async function soFar(asked: Promise<State>): Promise<string> {
  await settle();
  return (await Promise.race([asked, { state: 'none' }])).state;
}

it.each([
  ['takes a call and answers nothing', hung],
  ['begins an answer and does not end it', broken],
])('a service that %s is offline after the limit, and not before', async (_, fetch) => {
  vi.stubGlobal('fetch', fetch);
  const asked = answers.ask(PATH, new AbortController().signal, POLL_LIMIT_MS);
  vi.advanceTimersByTime(POLL_LIMIT_MS - 1);
  expect(await soFar(asked)).toBe('none');
  vi.advanceTimersByTime(1);
  expect(await soFar(asked)).toBe('offline');
});

it('a call that its view ends before the limit is silent', async () => {
  vi.stubGlobal('fetch', hung);
  const view = new AbortController();
  const asked = answers.ask(PATH, view.signal, POLL_LIMIT_MS);
  view.abort();
  expect(await soFar(asked)).toBe('loading');
  expect(vi.getTimerCount()).toBe(0);
});

it('a call without a limit waits for what takes long', async () => {
  vi.stubGlobal('fetch', hung);
  const asked = answers.ask(PATH);
  vi.advanceTimersByTime(100 * POLL_LIMIT_MS);
  expect(await soFar(asked)).toBe('none');
});

it('an answer within the limit leaves no timer behind', async () => {
  vi.stubGlobal('fetch', async () => Response.json({}));
  expect(await soFar(answers.ask(PATH, undefined, POLL_LIMIT_MS))).toBe('ready');
  expect(vi.getTimerCount()).toBe(0);
});

it.each([
  ['ends before the later one is shown until then', [0, 1], ['offline', 'ready']],
  ['ends after the later one is not shown', [1, 0], ['ready']],
])('of two tries at once the earlier %s, and one follows', async (_, order, shown) => {
  const tries: ((next: State) => void)[] = [];
  const taken: string[] = [];
  const polling = poller.poll(
    () => new Promise((resolve) => tries.push(resolve)),
    5000,
    ({ state }) => taken.push(state),
  );
  comeBack();
  for (const at of order) {
    tries[at]?.({ state: at === 0 ? 'offline' : 'ready' });
    await settle();
  }
  expect(taken).toEqual(shown);
  vi.advanceTimersByTime(5000);
  expect(tries).toHaveLength(3);
  polling.stop();
});

it('a limit with Retry-After: asked again after it, and not before', async () => {
  const tries: ((next: State) => void)[] = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const polling = poller.poll(
    () => new Promise((resolve) => tries.push(resolve)),
    5000,
    () => {},
  );
  tries[0]?.({ state: 'failed', status: 503, retryAfterMs: 12_000 });
  await settle();
  vi.advanceTimersByTime(11_999);
  polling.look();
  comeBack();
  expect(tries).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(tries).toHaveLength(2);
  polling.stop();
});

it('what is read once: failed tries are made again, later each time', async () => {
  const tries: ((next: State) => void)[] = [];
  const polling = poller.poll(
    () => new Promise((resolve) => tries.push(resolve)),
    0,
    () => {},
  );
  for (const waitMs of [5000, 10_000, 20_000, 40_000, 60_000, 60_000]) {
    const before = tries.length;
    tries.at(-1)?.({ state: 'offline' });
    await settle();
    vi.advanceTimersByTime(waitMs - 1);
    expect(tries).toHaveLength(before);
    vi.advanceTimersByTime(1);
    expect(tries).toHaveLength(before + 1);
  }
  tries.at(-1)?.({ state: 'ready' });
  await settle();
  expect(vi.getTimerCount()).toBe(0);
  polling.stop();
});
