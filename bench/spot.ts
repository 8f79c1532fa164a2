/**
 * Measures the cost at rest of the spot side of the venues: CPU and memory of two services over the same simulated venues at the same
 * time, with spot and without. `npm run bench spot`; exit 1 where spot takes more than 0.15 of a core or 80 MB more. BENCH_SECONDS
 * and BENCH_WARM_UP_MS shorten it for a look.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Measured, printBars } from '../scripts/bars.ts';
import { answerHelp } from '../scripts/usage.ts';
import { type Running, readMetrics, startService, startVenues, untilLive } from './latency/service.ts';

answerHelp();

const SECONDS = Number(process.env.BENCH_SECONDS ?? 120);
/** Spot is first asked twenty seconds after the start, and its first rates of single coins come later. */
const WARM_UP_MS = Number(process.env.BENCH_WARM_UP_MS ?? 90_000);
const CORES_BAR = 0.15;
const MB_BAR = 80;
/** Markets that the simulated venues list are more: fewer are no evidence about a normal minute. */
const MIN_MARKETS = 800;
/** As the demo streams them. */
const BOOKS = '40';

interface Read {
  readonly cpuSeconds: number;
  readonly mb: number;
  readonly markets: number;
}

async function read({ admin }: Running): Promise<Read> {
  const metricOf = await readMetrics(admin);
  return {
    cpuSeconds: metricOf('process_cpu_seconds_total'),
    mb: metricOf('process_resident_memory_bytes') / 2 ** 20,
    markets: metricOf('perpmeter_spot_markets'),
  };
}

/** Memory at rest rises and falls with the collection of garbage: a mean over the time counts. */
async function meanMb(services: readonly Running[]): Promise<readonly number[]> {
  const sums = services.map(() => 0);
  for (let second = 0; second < SECONDS; second++) {
    await wait(1000);
    for (const [i, service] of services.entries()) sums[i] = (sums[i] ?? 0) + (await read(service)).mb;
  }
  return sums.map((sum) => sum / SECONDS);
}

const { child: venues, url } = await startVenues();
const services: Running[] = [];
try {
  for (const spot of ['on', 'off'])
    services.push(
      await startService(url, { books: BOOKS, hostsOfSpot: true, settings: { PERPMETER_SPOT: spot } }),
    );
  await Promise.all(services.map(untilLive));
  await wait(WARM_UP_MS);
  const before = await Promise.all(services.map(read));
  const mb = await meanMb(services);
  const after = await Promise.all(services.map(read));
  const [on = 0, off = 0] = after.map(
    ({ cpuSeconds }, i) => (cpuSeconds - (before[i]?.cpuSeconds ?? 0)) / SECONDS,
  );
  const [mbOn = 0, mbOff = 0] = mb;
  const bars: Measured[] = [
    { name: 'spot markets listed and offered', value: after[0]?.markets ?? 0, sign: '>=', bar: MIN_MARKETS },
    { name: 'the same without spot', value: after[1]?.markets ?? 0, sign: '<=', bar: 0 },
    { name: 'cores that spot takes', value: on - off, sign: '<=', bar: CORES_BAR },
    { name: 'MB that spot takes', value: mbOn - mbOff, sign: '<=', bar: MB_BAR },
  ];
  const missed = printBars(bars);
  console.log(
    `bench spot ${missed === 0 ? 'PASS' : 'FAIL'} ${on.toFixed(3)} cores and ${mbOn.toFixed(0)} MB with spot, ` +
      `${off.toFixed(3)} and ${mbOff.toFixed(0)} without, in ${SECONDS} s of one run`,
  );
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  for (const service of services) await service.stop();
  await venues.stop(5000);
}
