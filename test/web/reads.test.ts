import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';

/** Of web/data, which is checked with a browser's types. */
interface State {
  readonly state: string;
  readonly status?: number;
  readonly body?: unknown;
  readonly trouble?: State;
  readonly part?: { readonly read: number; readonly of: number; readonly trouble?: State };
  readonly calls?: readonly unknown[];
}

interface Try {
  readonly limitMs: number | undefined;
  tell(part: State): void;
}

interface Reads {
  follow(
    key: string,
    everyMs: number,
    reader: (once: Try) => Promise<State>,
    take: (next: State) => void,
  ): () => void;
  lookAtFailed(): void;
}

interface Answers {
  together(answers: readonly State[]): State;
}

let reads: Reads;
let answers: Answers;

/** A reader of which each try is answered by the test. */
class Tries {
  readonly made: Try[] = [];
  readonly #answer: ((next: State) => void)[] = [];
  readonly reader = (once: Try): Promise<State> => {
    this.made.push(once);
    return new Promise((resolve) => this.#answer.push(resolve));
  };

  /** Answers the last try. */
  async answer(next: State): Promise<void> {
    this.#answer.at(-1)?.(next);
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  }
}

beforeAll(async () => {
  const nothing = (): void => {};
  const events = { addEventListener: nothing, removeEventListener: nothing };
  vi.stubGlobal('document', { ...events, visibilityState: 'visible' });
  vi.stubGlobal('addEventListener', nothing);
  vi.stubGlobal('removeEventListener', nothing);
  const file = (name: string): string => new URL(`../../web/data/${name}`, import.meta.url).href;
  reads = (await import(file('reads.ts'))) as Reads;
  answers = (await import(file('answer.ts'))) as Answers;
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const ready = (body: unknown): State => ({ state: 'ready', body });

it('two parts that show the same: one read, at the pace of the faster', async () => {
  const tries = new Tries();
  const shown: unknown[][] = [[], []];
  const slow = reads.follow('/two', 60_000, tries.reader, ({ body }) => shown[0]?.push(body));
  await tries.answer(ready(1));
  const fast = reads.follow('/two', 5000, tries.reader, ({ body }) => shown[1]?.push(body));
  await tries.answer(ready(2));
  expect(shown).toEqual([
    [1, 2],
    [1, 2],
  ]);
  vi.advanceTimersByTime(5000);
  expect(tries.made).toHaveLength(3);
  slow();
  fast();
  vi.runAllTimers();
  expect(tries.made).toHaveLength(3);
});

it('a part that takes over in the same turn asks nothing again', async () => {
  const tries = new Tries();
  const first = reads.follow('/over', 60_000, tries.reader, () => {});
  await tries.answer(ready(1));
  first();
  const shown: unknown[] = [];
  const second = reads.follow('/over', 60_000, tries.reader, ({ body }) => shown.push(body));
  vi.advanceTimersByTime(1);
  expect([tries.made.length, shown]).toEqual([1, [1]]);
  second();
  vi.runAllTimers();
});

it('the service is back: what failed is asked for at once', async () => {
  const health = new Tries();
  const file = new Tries();
  const ends = [
    reads.follow('/health', 5000, health.reader, () => {}),
    reads.follow('/file', 0, file.reader, () => {}),
  ];
  await file.answer({ state: 'offline' });
  await health.answer({ state: 'failed', status: 503 });
  const before = file.made.length;
  reads.lookAtFailed();
  expect([health.made.length, file.made.length]).toEqual([2, before + 1]);
  await file.answer({ state: 'offline' });
  await health.answer(ready(1));
  expect(file.made).toHaveLength(before + 2);
  for (const end of ends) end();
  vi.runAllTimers();
});

it('parts of a first read are shown; a whole one is kept', async () => {
  const tries = new Tries();
  const shown: State[] = [];
  const end = reads.follow('/pages', 5000, tries.reader, (next) => shown.push(next));
  tries.made[0]?.tell({ ...ready([1]), part: { read: 1, of: 2 } });
  await tries.answer(ready([1, 2]));
  vi.advanceTimersByTime(5000);
  tries.made[1]?.tell({ ...ready([1]), part: { read: 1, of: 2 } });
  await tries.answer({ ...ready([1]), part: { read: 1, of: 2, trouble: { state: 'offline' } } });
  expect(shown.map(({ body }) => body)).toEqual([[1], [1, 2], [1, 2]]);
  expect(shown[2]?.trouble).toEqual({ state: 'offline' });
  end();
  vi.runAllTimers();
});

it.each<[string, readonly State[], Partial<State>]>([
  ['some on their way', [ready(1), { state: 'loading' }], { state: 'ready', part: { read: 1, of: 2 } }],
  ['one without data', [ready(1), { state: 'failed', status: 404 }], { state: 'ready', body: [1] }],
  [
    'a price before all are known',
    [{ state: 'unpaid', calls: [1] }, { state: 'loading' }],
    { state: 'loading' },
  ],
  [
    'prices',
    [
      { state: 'unpaid', calls: [1] },
      { state: 'unpaid', calls: [2] },
    ],
    { calls: [1, 2] },
  ],
  ['all failed', [{ state: 'offline' }, { state: 'loading' }, { state: 'offline' }], { state: 'loading' }],
  [
    'one failed',
    [ready(1), { state: 'offline' }],
    { state: 'ready', part: { read: 1, of: 2, trouble: { state: 'offline' } } },
  ],
])('several reads, %s: said as it is', (_, parts, expected) => {
  const made = answers.together(parts);
  expect(made).toMatchObject(expected);
  if (expected.part === undefined) expect(made.part).toBeUndefined();
});
