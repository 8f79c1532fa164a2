/**
 * Order books for long. First seeded schedules of faults on every venue, in memory; then the service over the
 * simulated venues for `--minutes`, as it is built: its resident memory with the embedded store (`--history off`:
 * without) and how fast it grows after warm-up, at least 2,000 book messages a second, and no streamed book stays away
 * without a reason. `npm run soak books`; exit 1 when a bar is missed, with the seed that repeats it.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cpuSeconds } from '../../scripts/process-cpu.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { type Sample, startWatched, type Watched } from './books-service.ts';
import { type MemoryPoint, memoryTrend } from './memory-trend.ts';
import { readOptions } from './options.ts';

const values = readOptions({
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  schedules: { type: 'string', default: '25' },
  minutes: { type: 'string', default: '100' },
  'book-rate': { type: 'string', default: '' },
  'least-rate': { type: 'string', default: '2000' },
  history: { type: 'string', default: 'on' },
});

const POLL_MS = 5000;
const MAX_MB = { on: 600, off: 350 } as const;
const MAX_GROWTH = 2;
const MIN_PER_SECOND = Number(values['least-rate']);
/** The rate of messages is judged from this minute on, or after a third of a shorter run. */
const RATED = (minutes: number): number => Math.min(10, Math.max(1, Math.floor(minutes / 3)));
/** Minutes of warm-up of the memory: three fifths of the run, an hour at most. Heaps, caches and pools fill for half an hour. */
const WARM = (minutes: number): number => Math.min(60, Math.max(1, Math.floor(minutes * 0.6)));
const history = values.history === 'off' ? 'off' : 'on';

/** Schedules of faults, in the test that plays them. */
async function playSchedules(): Promise<readonly string[]> {
  const each = Number(values.schedules);
  if (each === 0) return [];
  console.log(`seed ${values.seed}, ${each} schedules of each venue and fault`);
  const env = {
    ...process.env,
    PERPMETER_BOOK_SCHEDULES: String(each),
    PERPMETER_BOOK_SEED: values.seed,
  };
  const args = ['vitest', 'run', 'test/books/every-venue.test.ts', '--testTimeout', '600000'];
  const child = spawn('npx', args, { env, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code === 0 ? [] : [`schedules failed; repeat: npm run soak books -- --seed ${values.seed}`];
}

/** CPU seconds of a process; NaN where the system does not tell. */
function usedSeconds(pid: number): number {
  try {
    return cpuSeconds(pid);
  } catch {
    return Number.NaN;
  }
}

interface Memory {
  /** All that is resident, MB, pages of files with it. */
  readonly resident: number;
  /** Memory without a file behind it, MB. */
  readonly anonymous: number;
}

/** Mean memory of a process over a minute: one look falls anywhere between two collections of garbage. */
async function meanMemory(pid: number): Promise<Memory> {
  const looks: Memory[] = [];
  for (let waited = 0; waited < MINUTE_MS; waited += POLL_MS) {
    await new Promise((next) => setTimeout(next, POLL_MS));
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const mb = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
    looks.push({ resident: mb('VmRSS'), anonymous: mb('RssAnon') });
  }
  const mean = (of: keyof Memory): number => looks.reduce((sum, look) => sum + look[of], 0) / looks.length;
  return { resident: mean('resident'), anonymous: mean('anonymous') };
}

const HEAD = [
  'minute',
  'MB',
  'anonymous',
  'messages/s',
  'streamed',
  'live',
  'breaks',
  'mismatch',
  'cpu sim',
  'cpu service',
];

interface Minute extends Sample {
  readonly perSecond: number;
  readonly memory: MemoryPoint;
  /** The same of what no file holds. */
  readonly anonymous: MemoryPoint;
}

async function watch(watched: Watched, minutes: number): Promise<readonly Minute[]> {
  console.log(HEAD.map((head) => head.padStart(11)).join(''));
  const seen: Minute[] = [];
  let before = await watched.sample();
  let cpu = [usedSeconds(watched.simPid), usedSeconds(watched.servicePid)] as const;
  for (let minute = 1; minute <= minutes; minute++) {
    const { resident, anonymous } = await meanMemory(watched.servicePid);
    const now = await watched.sample();
    const seconds = (now.at - before.at) / 1000;
    const spent = [usedSeconds(watched.simPid), usedSeconds(watched.servicePid)] as const;
    const perSecond = (now.messages - before.messages) / seconds;
    const share = (i: 0 | 1): string => `${(((spent[i] - cpu[i]) / seconds) * 100).toFixed(0)}%`;
    const compared = now.same + now.different;
    const mismatch = compared === 0 ? '-' : `${((now.different / compared) * 100).toFixed(2)}%`;
    const row = [
      minute,
      resident.toFixed(0),
      anonymous.toFixed(0),
      perSecond.toFixed(0),
      now.streamed,
      now.live,
    ];
    const line = [...row, now.breaks, mismatch, share(0), share(1)];
    console.log(line.map((cell) => String(cell).padStart(11)).join(''));
    seen.push({ ...now, perSecond, memory: { minute, mb: resident }, anonymous: { minute, mb: anonymous } });
    before = now;
    cpu = spent;
  }
  return seen;
}

/** Missed bars. */
function judge(seen: readonly Minute[]): readonly string[] {
  const warm = seen.slice(WARM(seen.length) - 1);
  const trend = memoryTrend(warm.map(({ memory }) => memory));
  const own = memoryTrend(warm.map(({ anonymous }) => anonymous));
  const most = MAX_MB[history];
  const slowest = Math.min(...seen.slice(RATED(seen.length) - 1).map(({ perSecond }) => perSecond));
  const last = warm.at(-1);
  const earlier = warm.at(-2);
  const astray = [...(last?.astray ?? [])].filter(([venue]) => earlier?.astray.has(venue) ?? true);
  const missed: string[] = [];
  if (!(trend.mb <= most)) missed.push(`memory ${trend.mb.toFixed(0)} MB, over ${most}`);
  if (!(trend.percentAnHour < MAX_GROWTH)) {
    missed.push(`memory grows by ${trend.percentAnHour.toFixed(1)} % an hour, not less than ${MAX_GROWTH}`);
  }
  if (!(slowest >= MIN_PER_SECOND)) missed.push(`${slowest.toFixed(0)} messages/s`);
  for (const [venue, count] of astray) missed.push(`${venue}: ${count} streamed books are away`);
  console.log(
    `soak books: ${seen.length} minutes, history ${history}: ${trend.mb.toFixed(0)} MB resident (bar ${most}), ` +
      `growth ${trend.percentAnHour.toFixed(1)} ± ${trend.error.toFixed(1)} % an hour from minute ${WARM(seen.length)} on (bar ${MAX_GROWTH}), ` +
      `${own.mb.toFixed(0)} of it anonymous, growth ${own.percentAnHour.toFixed(1)} %, ` +
      `at least ${slowest.toFixed(0)} messages/s, ${last?.live} of ${last?.streamed} books live`,
  );
  return missed;
}

async function runService(): Promise<readonly string[]> {
  const minutes = Number(values.minutes);
  if (minutes === 0) return [];
  const watched = await startWatched(values['book-rate'], history);
  try {
    return judge(await watch(watched, minutes));
  } finally {
    await watched.stop();
  }
}

const missed = [...(await playSchedules()), ...(await runService())];
for (const one of missed) console.log(`missed: ${one}`);
if (missed.length > 0) process.exitCode = 1;
