import { fork } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { bundle } from '../bundle.ts';
import { Random } from './random.ts';
import { StreamReader } from './stream-reader.ts';
import { SeededRows, serveRows } from './stream-source.ts';

const HUNG_MS = 240_000;
/**
 * The narrow stream changes about four rows a tick: its ring lasts for fifty ticks, since a busy machine connects anew within some
 * twenty, and a long break for more.
 */
const KEPT_ROWS = 200;
const LONG_BREAK_TICKS = 75;

/** Waits until something holds, outside a test runner; what never comes is an error. */
async function until(holds: () => boolean, everyMs = 20): Promise<void> {
  const began = Date.now();
  while (!holds()) {
    if (Date.now() - began > HUNG_MS) throw new Error('what was waited for did not come');
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

export interface StreamSoakOptions {
  readonly seed: number;
  readonly readers: number;
  /** Broken connections of all readers together. */
  readonly reconnects: number;
  /** The period at which rows are compared, ms. */
  readonly everyMs: number;
}

/** The joint findings of the readers of one stream. */
export interface ReadersReport {
  readonly reconnects: number;
  readonly resumed: number;
  readonly snapshots: Readonly<Record<string, number>>;
  readonly conflated: number;
  readonly refused: number;
  /** Events that came twice, or not at all, without a word about it. */
  readonly unsaid: number;
  /** Readers that hold other rows than the stream at the end. */
  readonly wrong: number;
  readonly frames: number;
  readonly latencyMs: { readonly p50: number; readonly p99: number; readonly max: number };
}

/** The task of the readers: the address, the frequency of breaks, and the final rows they must hold. */
export interface ReadersTask {
  readonly url: string;
  readonly seed: number;
  readonly readers: number;
  readonly reconnects: number;
  readonly kind: 'cut' | 'slow';
  readonly everyMs: number;
}
export interface FinalRows {
  readonly sequence: number;
  readonly rows: readonly { readonly key: string }[];
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** One reader's life: it breaks off at times of its seed, now and then for longer than changes are kept. */
async function live(reader: StreamReader, random: Random, task: ReadersTask, cuts: number): Promise<void> {
  reader.open();
  for (let cut = 0; cut < cuts; cut += 1) {
    // A busy machine takes longer to connect than a reader waits: most breaks follow a first event, however late.
    const isEarly = random.chance(0.1);
    await until(() => reader.last !== undefined && (isEarly || reader.hasBegun));
    await wait(random.between(0, task.everyMs * 8));
    if (task.kind === 'slow') {
      reader.pause();
      await wait(random.between(10, 30) * task.everyMs);
      reader.resume();
      continue;
    }
    reader.cut();
    await wait(random.chance(0.05) ? task.everyMs * LONG_BREAK_TICKS : random.between(0, task.everyMs * 3));
    reader.open();
  }
}

/** Runs readers of one stream; `final` tells what they must hold when all have broken off as often as they should. */
export async function runReaders(task: ReadersTask, final: () => Promise<FinalRows>): Promise<ReadersReport> {
  const random = new Random(task.seed);
  let turnedAway = 0;
  const readers = Array.from({ length: task.readers }, () => {
    const reader: StreamReader = new StreamReader(task.url, () => {
      turnedAway += 1;
      setTimeout(() => reader.open(), task.everyMs);
    });
    return reader;
  });
  const share = Math.ceil(task.reconnects / task.readers);
  await Promise.all(
    readers.map(async (reader, at) => {
      await wait(at / 2);
      const cuts = Math.max(0, Math.min(share, task.reconnects - at * share));
      await live(reader, new Random(random.between(0, 2 ** 31)), task, cuts);
    }),
  );
  const { sequence, rows } = await final();
  const expected = new Map(rows.map((row) => [row.key, row]));
  await until(() => readers.every(({ last }) => last === sequence));
  const wrong = readers.filter((reader) => !isDeepStrictEqual(sorted(reader.rows), sorted(expected))).length;
  for (const reader of readers) reader.cut();
  return report(task, readers, { wrong, refused: turnedAway });
}

const sorted = (rows: ReadonlyMap<string, unknown>): readonly unknown[] =>
  [...rows].sort(([a], [b]) => (a < b ? -1 : 1));

function report(
  task: ReadersTask,
  readers: readonly StreamReader[],
  ends: Pick<ReadersReport, 'wrong' | 'refused'>,
): ReadersReport {
  const sum = (read: (reader: StreamReader) => number): number =>
    readers.reduce((total, reader) => total + read(reader), 0);
  const latencies = readers.flatMap(({ latenciesMs }) => latenciesMs).sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN;
  const reasons = [...new Set(readers.flatMap(({ snapshots }) => [...snapshots.keys()]))].sort();
  return {
    reconnects: task.reconnects,
    resumed: sum(({ resumed }) => resumed),
    snapshots: Object.fromEntries(reasons.map((why) => [why, sum((run) => run.snapshots.get(why) ?? 0)])),
    conflated: sum(({ conflated }) => conflated),
    unsaid: sum(({ unsaid }) => unsaid),
    ...ends,
    frames: latencies.length,
    latencyMs: { p50: at(0.5), p99: at(0.99), max: at(1) },
  };
}

const READERS = new URL('./stream-readers.ts', import.meta.url);

/** Readers in a process of their own: what they take must not slow what is measured. */
async function forkReaders(task: ReadersTask, final: () => Promise<FinalRows>): Promise<ReadersReport> {
  const child = fork(await bundle(READERS), { execArgv: [] });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the readers ended with ${code}`)));
    child.on('message', (message) => {
      if (message === 'done') void final().then((rows) => child.send(rows));
      else {
        resolve(message as ReadersReport);
        child.removeAllListeners('exit');
        child.disconnect();
      }
    });
    child.send(task);
  });
}

/**
 * Many readers that break off and come back on one stream, and a few slow ones on a stream of large rows.
 * @param isolated readers in a process of their own
 */
export async function soakStream(options: StreamSoakOptions, isolated: boolean) {
  const { seed, readers, reconnects, everyMs } = options;
  const shared = { everyMs, maxOfAddress: 5000 };
  const narrow = new SeededRows(seed, 15, 400);
  // Sockets take in some forty megabytes where the system lets them, before a reader that has stopped is waited for; so
  // much in one process would keep all other readers waiting, too.
  const wide = new SeededRows(seed + 1, 40, isolated ? 240_000 : 60_000);
  const { url, streams, server } = await serveRows({
    '/narrow': { source: narrow, options: { ...shared, keptRows: KEPT_ROWS, maxReaders: readers + 200 } },
    '/wide': { source: wide, options: { ...shared, keptRows: 200 } },
  });
  const finalOf = (path: string) => async (): Promise<FinalRows> => {
    const served = streams.get(path);
    if (served === undefined) throw new Error(`no stream ${path}`);
    served.source.isChanging = false;
    served.stream.tick();
    return { sequence: served.stream.sequence, rows: [...served.source.rows.values()] };
  };
  const run = isolated ? forkReaders : runReaders;
  try {
    const [cut, slow] = await Promise.all([
      run({ url: `${url}/narrow`, seed, readers, reconnects, everyMs, kind: 'cut' }, finalOf('/narrow')),
      run({ url: `${url}/wide`, seed, readers: 4, reconnects: 12, everyMs, kind: 'slow' }, finalOf('/wide')),
    ]);
    return { cut, slow };
  } finally {
    for (const { stream } of streams.values()) stream.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
