/**
 * Messages a second of processor time on one core, from the text of a frame to the updated book, on recorded
 * sessions; against JSON.parse alone, tardis-dev and ccxt pro. `npm run bench ingest`; exit 1 where a bar is
 * missed or the pipelines end with different books, 2 where the sessions are not here. BENCH_ROUNDS and
 * BENCH_PASS_MS shorten it for a look.
 */
import { spawnSync } from 'node:child_process';
import { answerHelp } from '../scripts/usage.ts';
import { ccxtPro } from './ingest/ccxt.ts';
import { bookMemory } from './ingest/memory.ts';
import { ours, oursUnread } from './ingest/ours.ts';
import { type Book, jsonParse, type Pipeline } from './ingest/pipeline.ts';
import { reference } from './ingest/reference.ts';
import { loadSessions, SESSIONS_ROOT, type Session } from './ingest/session.ts';
import { tardis } from './ingest/tardis.ts';
import { median } from './statistics.ts';

answerHelp();

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const PASS_MS = Number(process.env.BENCH_PASS_MS ?? 400);
const WARM_UP_MS = 800;

const PIPELINES: readonly Pipeline[] = [jsonParse, tardis, ccxtPro, oursUnread, ours];

/** The ratios that the service's own pipeline must reach, on the geometric mean over the sessions. */
const BARS: readonly { readonly peer: Pipeline; readonly least: number }[] = [
  { peer: jsonParse, least: 1 },
  { peer: tardis, least: 2.5 },
  { peer: ccxtPro, least: 4 },
];

/** Processor time of this process, ms: what others do on the machine does not count. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Messages a second over passes that together take at least this long. */
async function measure(pipeline: Pipeline, session: Session, leastMs: number): Promise<number> {
  let spent = 0;
  let messages = 0;
  while (spent < leastMs) {
    const pass = await pipeline.prepare(session);
    const before = processorMs();
    pass.run();
    spent += processorMs() - before;
    messages += session.frames.length;
  }
  return (messages / spent) * 1000;
}

const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

const sameSide = (a: Book['bids'], b: Book['bids']): boolean =>
  a.length === b.length && a.every(([price, size], i) => price === b[i]?.[0] && size === b[i]?.[1]);

/** Contracts whose books differ, level by level. */
function differences(a: ReadonlyMap<string, Book>, b: ReadonlyMap<string, Book>): string[] {
  const symbols = [...new Set([...a.keys(), ...b.keys()])];
  return symbols.filter((symbol) => {
    const one = a.get(symbol);
    const other = b.get(symbol);
    if (one === undefined || other === undefined) return true;
    return !sameSide(one.bids, other.bids) || !sameSide(one.asks, other.asks);
  });
}

/** Runs every pipeline once, untimed, and holds its books and quotes against the plainest code there is. */
async function verify(session: Session): Promise<readonly string[]> {
  const expected = reference(session);
  const faults: string[] = [];
  for (const pipeline of PIPELINES) {
    const pass = await pipeline.prepare(session);
    pass.run();
    const books = pass.books();
    const wrong = books === undefined ? [] : differences(expected.books, books);
    if (wrong.length > 0) faults.push(`${session.name}: ${pipeline.name} ends with other books: ${wrong}`);
    const checksum = pass.checksum();
    if (checksum === undefined) continue;
    console.log(`${session.name}: quote checksum ${checksum.toPrecision(15)}`);
    if (Math.abs(checksum / expected.checksum - 1) > 1e-9) {
      faults.push(`${session.name}: quotes sum to ${checksum}, the definition to ${expected.checksum}`);
    }
  }
  return faults;
}

/** Medians over interleaved rounds, so that what disturbs the machine disturbs all pipelines. */
async function race(session: Session): Promise<ReadonlyMap<Pipeline, number>> {
  const results = new Map<Pipeline, number[]>(PIPELINES.map((pipeline) => [pipeline, []]));
  for (const pipeline of PIPELINES) await measure(pipeline, session, WARM_UP_MS);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [pipeline, list] of results) list.push(await measure(pipeline, session, PASS_MS));
  }
  return new Map([...results].map(([pipeline, list]) => [pipeline, median(list)]));
}

function printTable(
  sessions: readonly Session[],
  speeds: ReadonlyMap<Session, ReadonlyMap<Pipeline, number>>,
): void {
  const cell = (text: string): string => text.padStart(22);
  console.log(
    `\nmessages/s (ratio to JSON.parse)\n${' '.repeat(32)}${sessions.map(({ name }) => cell(name)).join('')}`,
  );
  for (const pipeline of PIPELINES) {
    const cells = sessions.map((session) => {
      const speed = speeds.get(session)?.get(pipeline) ?? Number.NaN;
      const floor = speeds.get(session)?.get(jsonParse) ?? Number.NaN;
      return cell(`${Math.round(speed / 1000)} k (${(speed / floor).toFixed(2)})`);
    });
    console.log(pipeline.name.padEnd(32) + cells.join(''));
  }
}

/** Prints each bar with what was reached; returns whether all were. */
function judge(speeds: ReadonlyMap<Session, ReadonlyMap<Pipeline, number>>): boolean {
  console.log('\ngeometric mean of the ratios, depth quotes read');
  return BARS.map(({ peer, least }) => {
    const ratios = [...speeds.values()].map((by) => (by.get(ours) ?? 0) / (by.get(peer) ?? Number.NaN));
    const reached = geometricMean(ratios);
    const verdict = reached >= least ? 'met' : 'MISSED';
    console.log(`  ${peer.name.padEnd(32)}${reached.toFixed(2)}  (bar ${least})  ${verdict}`);
    return reached >= least;
  }).every(Boolean);
}

/** Runs this program again on one core where the system can pin it. */
function pinned(): number | undefined {
  if (process.env.BENCH_PINNED !== undefined) return undefined;
  const env = { ...process.env, BENCH_PINNED: '1' };
  const args = ['-c', '0', process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const run = spawnSync('taskset', args, { stdio: 'inherit', env });
  if (run.error === undefined) return run.status ?? 1;
  console.log('not pinned: no taskset on this machine');
  return undefined;
}

async function main(): Promise<number> {
  const sessions = loadSessions();
  if (sessions === undefined) {
    console.log(`not measured: no recorded sessions in ${SESSIONS_ROOT}`);
    return 2;
  }
  const status = pinned();
  if (status !== undefined) return status;
  const faults: string[] = [];
  for (const session of sessions) faults.push(...(await verify(session)));
  if (faults.length > 0) {
    console.log(faults.join('\n'));
    return 1;
  }
  const speeds = new Map<Session, ReadonlyMap<Pipeline, number>>();
  for (const session of sessions) speeds.set(session, await race(session));
  printTable(sessions, speeds);
  for (const session of sessions) console.log(await bookMemory(session));
  return judge(speeds) ? 0 : 1;
}

process.exitCode = await main();
