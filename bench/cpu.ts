/**
 * Measures the service's cost at rest: its CPU over the simulated venues at their normal cadence, beside the
 * CPU of one process that only receives the same at the same moments and parses it: the same clients of HTTP
 * and WebSocket, the same bytes over as many sockets, unpacked, and `JSON.parse`. Without the sockets, parsing
 * from memory, the bare side is less than half of that. `npm run bench cpu`; exit 1 where the service takes
 * more than three times as much. BENCH_SECONDS and BENCH_WARM_UP_MS shorten it for a look.
 */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Measured, printBars } from '../scripts/bars.ts';
import { answerHelp } from '../scripts/usage.ts';
import { type Child, startChild } from '../src/host/process/child.ts';
import { bundle } from '../test/bundle.ts';
import type { Used } from './cpu/bare.ts';
import { Mirror } from './cpu/mirror.ts';
import { Tap } from './cpu/tap.ts';
import { readMetrics, startService, startVenues, untilLive } from './latency/service.ts';

answerHelp();

const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
const WARM_UP_MS = Number(process.env.BENCH_WARM_UP_MS ?? 60_000);
const RATIO_BAR = 3;
/** Less traffic is no evidence about a normal minute. */
const MIN_MB = 1;
/** A frame that arrives at the moment of a count is parsed just after it. */
const MIN_PARSED = 0.99;
/** As the demo streams them. */
const BOOKS = '40';

async function startBare(mirror: string, packed: readonly boolean[]): Promise<Child> {
  const program = pathToFileURL(await bundle(new URL('./cpu/bare.ts', import.meta.url)));
  return startChild('the bare receiver', program, [mirror, packed.map(Number).join('')]);
}

async function usedBy({ process: bare }: Child): Promise<Used> {
  bare.send('used');
  const [used] = await once(bare, 'message');
  return used;
}

const { child: venues, url } = await startVenues();
const mirror = new Mirror();
const tap = new Tap(url, mirror);
const service = await startService(await tap.open(), { books: BOOKS });
let bare: Child | undefined;
try {
  const rows = await untilLive(service);
  bare = await startBare(await mirror.open(), tap.packed);
  await wait(WARM_UP_MS);
  const before = {
    service: await readMetrics(service.admin),
    bare: await usedBy(bare),
    passed: mirror.count,
  };
  await wait(SECONDS * 1000);
  const after = { service: await readMetrics(service.admin), bare: await usedBy(bare), passed: mirror.count };
  const spent = (name: string): number => after.service(name) - before.service(name);
  const seconds = spent('process_cpu_seconds_total');
  const bareSeconds = after.bare.cpuSeconds - before.bare.cpuSeconds;
  const passed = after.passed.messages - before.passed.messages;
  const mb = (after.passed.bytes - before.passed.bytes) / 2 ** 20;
  const ratio = seconds / bareSeconds;
  const bars: Measured[] = [
    { name: 'received, MB as it came', value: mb, sign: '>=', bar: MIN_MB },
    {
      name: 'of it parsed by the bare receiver',
      value: (after.bare.messages - before.bare.messages) / passed,
      sign: '>=',
      bar: MIN_PARSED,
    },
    { name: 'service CPU over bare receiving', value: ratio, sign: '<=', bar: RATIO_BAR },
  ];
  const missed = printBars(bars);
  const share = (part: number): string => (part / SECONDS).toFixed(3);
  console.log(
    `bench cpu ${missed === 0 ? 'PASS' : 'FAIL'} ${ratio.toFixed(2)} times bare receiving (bar ${RATIO_BAR}): ` +
      `${share(seconds)} cores beside ${share(bareSeconds)}, of which collecting garbage ` +
      `${share(spent('nodejs_gc_duration_seconds_sum'))}; ${rows} rows, ${passed} answers and frames, ` +
      `${mb.toFixed(1)} MB over ${mirror.sockets} sockets in ${SECONDS} s`,
  );
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  await service.stop();
  await bare?.stop(5000);
  tap.close();
  mirror.close();
  await venues.stop(5000);
}
