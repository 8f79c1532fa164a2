/**
 * What the service costs at rest: its CPU over the simulated venues at their normal cadence, beside the CPU of one
 * process that only unpacks and parses all that the service received in the same time. `npm run bench:cpu`; exit 1
 * where the service takes more than three times as much. BENCH_SECONDS and BENCH_WARM_UP_MS shorten it for a look.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';
import { type Measured, printBars } from '../scripts/bars.ts';
import { answerHelp } from '../scripts/usage.ts';
import { isWire } from '../src/domain/read.ts';
import { type Received, Tap } from './cpu/tap.ts';
import { readMetrics, startService, startVenues, untilLive } from './latency/service.ts';

answerHelp();

const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
const WARM_UP_MS = Number(process.env.BENCH_WARM_UP_MS ?? 60_000);
const RATIO_BAR = 3;
/** What passes in less says little of a normal minute. */
const LEAST_MB = 1;
/** As the demo streams them. */
const BOOKS = '40';

/** CPU seconds of bare parsing: the median of the passes. */
function parseBare(received: readonly Received[]): { readonly seconds: number; readonly parsed: number } {
  const folder = mkdtempSync(join(tmpdir(), 'perpmeter-cpu-'));
  try {
    const file = join(folder, 'received');
    writeFileSync(file, serialize(received));
    const program = fileURLToPath(new URL('./cpu/bare.ts', import.meta.url));
    const said: unknown = JSON.parse(
      execFileSync(process.execPath, ['--import', 'tsx', program, file], { encoding: 'utf8' }),
    );
    if (!isWire(said) || !Array.isArray(said.seconds)) throw new Error('the bare process said nothing');
    const sorted = said.seconds.map(Number).sort((a, b) => a - b);
    return { seconds: sorted[sorted.length >> 1] ?? Number.NaN, parsed: Number(said.parsed) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const { child: venues, url } = await startVenues();
const tap = new Tap(url);
const service = await startService(await tap.open(), { books: BOOKS });
try {
  const rows = await untilLive(service);
  await wait(WARM_UP_MS);
  const before = await readMetrics(service.admin);
  tap.record();
  await wait(SECONDS * 1000);
  const received = tap.take();
  const after = await readMetrics(service.admin);
  const spent = (name: string): number => after(name) - before(name);
  const seconds = spent('process_cpu_seconds_total');
  const bare = parseBare(received);
  const mb = received.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) / 2 ** 20;
  const ratio = seconds / bare.seconds;
  const bars: Measured[] = [
    { name: 'received, MB as it came', value: mb, sign: '>=', bar: LEAST_MB },
    { name: 'service CPU over bare parsing', value: ratio, sign: '<=', bar: RATIO_BAR },
  ];
  const missed = printBars(bars);
  const share = (part: number): string => (part / SECONDS).toFixed(3);
  console.log(
    `bench:cpu ${missed === 0 ? 'PASS' : 'FAIL'} ${ratio.toFixed(2)} times bare parsing (bar ${RATIO_BAR}): ` +
      `${share(seconds)} cores beside ${share(bare.seconds)}, of which collecting garbage ` +
      `${share(spent('nodejs_gc_duration_seconds_sum'))}; ${rows} rows, ${received.length} answers and frames, ` +
      `${mb.toFixed(1)} MB in ${SECONDS} s`,
  );
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  await service.stop();
  tap.close();
  await venues.stop(5000);
}
