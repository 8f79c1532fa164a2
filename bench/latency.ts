/**
 * From the arrival of a book frame to its quote over HTTP, with everything running: the simulated venues stream the
 * books of all venues, the service keeps 33 venues, the live table and the history, and clients ask for the
 * quotes whose change is under way. `npm run bench:latency`; exit 1 where p99 is above its bar.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { answerHelp } from '../scripts/usage.ts';
import { tableText } from '../src/cli/table-text.ts';
import { FOLLOWED, Follower, type Measured } from './latency/follower.ts';
import { readMetrics, startService, startVenues, untilLive } from './latency/service.ts';

answerHelp();

const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
/** Steps a second of every book: with one, rendering the venues' frames alone takes a core of the two. */
const RATE = process.env.BENCH_BOOK_RATE ?? '0.5';
const WARM_UP_MS = Number(process.env.BENCH_WARM_UP_MS ?? 30_000);
const P99_BAR_MS = 50;
const LEAST_MESSAGES = 2000;

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;

/** A book seeded over REST begins when the venue's rate limit allows it. */
async function untilStreaming(service: string): Promise<void> {
  for (const follower of followers.values()) {
    for (let i = 0; i < 600 && !(await follower.isStreaming(service)); i++) await wait(200);
  }
}

const { child: venues, url } = await startVenues(RATE);
const measured: Measured = { latencies: [], lost: 0 };
const followers = new Map(
  Object.entries(FOLLOWED).map(([venue, frames]) => [venue, new Follower(venue, frames, url, measured)]),
);
const sockets = new Map<string, string>();
for (const [venue, follower] of followers) sockets.set(venue, await follower.address());
const service = await startService(url, { sockets });
try {
  const rows = await untilLive(service);
  const base = `http://127.0.0.1:${service.port}`;
  await untilStreaming(base);
  await wait(WARM_UP_MS);
  const before = await readMetrics(service.admin);
  const began = performance.now();
  for (const follower of followers.values()) follower.begin(base);
  await wait(SECONDS * 1000);
  for (const follower of followers.values()) await follower.end();
  // The event loop's delay is counted from one reading to the next.
  const after = await readMetrics(service.admin);
  const messages = after('perpmeter_book_messages_total') - before('perpmeter_book_messages');
  const perSecond = messages / ((performance.now() - began) / 1000);
  const sorted = [...measured.latencies].sort((a, b) => a - b);
  const lag = after('nodejs_eventloop_lag_p99_seconds') * 1000;
  const longest = after('nodejs_eventloop_lag_max_seconds') * 1000;
  const [p50, p99, max] = [quantile(sorted, 0.5), quantile(sorted, 0.99), sorted.at(-1) ?? Number.NaN];
  const text = (ms: number): string => ms.toFixed(1);
  console.log(
    tableText(
      ['what', 'value'],
      [
        ['rows', String(rows)],
        ['book messages a second', perSecond.toFixed(0)],
        ['changes followed', `${sorted.length}, ${measured.lost} lost`],
        ['frame to quote, p50 ms', text(p50)],
        ['frame to quote, p99 ms', text(p99)],
        ['frame to quote, max ms', text(max)],
        ['event loop delay, p99 ms', text(lag)],
        ['event loop delay, max ms', text(longest)],
      ],
    ),
  );
  const met = p99 < P99_BAR_MS && perSecond >= LEAST_MESSAGES && measured.lost === 0;
  console.log(
    `bench:latency ${met ? 'PASS' : 'FAIL'} p50 ${text(p50)} p99 ${text(p99)} (bar ${P99_BAR_MS}) max ${text(max)} ms at ${perSecond.toFixed(0)} messages/s (bar ${LEAST_MESSAGES}), event loop p99 ${text(lag)} ms`,
  );
  process.exitCode = met ? 0 : 1;
} finally {
  await service.stop();
  for (const follower of followers.values()) follower.close();
  await venues.stop(5000);
}
