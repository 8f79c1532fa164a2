/**
 * From the arrival of a book frame to its quote over HTTP, with everything running: the simulated venues stream the
 * books of all venues, the service keeps 33 venues, the live table and the history, and clients ask for the
 * quotes whose change is under way. Beside it a bare relay, one process that parses the same frames, keeps the last of
 * each symbol and answers over HTTP, is asked for the same changes: the bars are ratios to it. `npm run bench latency`;
 * exit 1 where one is missed.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { answerHelp } from '../scripts/usage.ts';
import { tableText } from '../src/host/process/table-text.ts';
import { VENUES } from '../src/venues/registry.ts';
import { type Asked, FOLLOWED, Follower, type Measured } from './latency/follower.ts';
import { BookProxy } from './latency/proxy.ts';
import { readMetrics, startRelay, startService, startVenues, untilLive } from './latency/service.ts';
import { quantile } from './statistics.ts';

answerHelp();

const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
/**
 * Books that are streamed of each venue, a step a second each: of more, rendering the frames and both who read them take
 * two cores. Fewer steps of more books would all come in one second of several: the simulated venues speak in turn within
 * a second, and a book is the same one everywhere.
 */
const BOOKS = process.env.BENCH_BOOKS ?? '25';
const WARM_UP_MS = Number(process.env.BENCH_WARM_UP_MS ?? 30_000);
const RATIO_BARS = { p50: 2, p99: 3 };
const MIN_MESSAGES = 1000;

function figuresOf({ latencies }: Measured) {
  const sorted = [...latencies].sort((a, b) => a - b);
  const p50 = quantile(sorted, 0.5);
  const p99 = quantile(sorted, 0.99);
  return { count: sorted.length, p50, p99, max: sorted.at(-1) ?? Number.NaN };
}

/** A book seeded over REST begins when the venue's rate limit allows it. */
async function untilStreaming(service: string): Promise<void> {
  for (const follower of followers.values()) {
    for (let i = 0; i < 600 && !(await follower.isStreaming(service)); i++) await wait(200);
  }
}

const { child: venues, url } = await startVenues();
const relay = await startRelay();
const measured: Readonly<Record<Asked, Measured>> = {
  service: { latencies: [], lost: 0 },
  relay: { latencies: [], lost: 0 },
};
const followers = new Map(FOLLOWED.map((venue) => [venue, new Follower(venue, url, relay.url, measured)]));
/** The relay is sent the frames of all venues, as the service is. */
const others = VENUES.filter(({ id }) => !followers.has(id)).map(({ id }) => ({
  id,
  proxy: new BookProxy(`${url.replace('http', 'ws')}/${id}`, `${relay.url.replace('http', 'ws')}/${id}`),
}));
const sockets = new Map<string, string>();
for (const [venue, follower] of followers) sockets.set(venue, await follower.address());
for (const { id, proxy } of others) sockets.set(id, await proxy.address());
const service = await startService(url, { sockets, books: BOOKS });
try {
  const rows = await untilLive(service);
  const base = `http://127.0.0.1:${service.port}`;
  await untilStreaming(base);
  await wait(WARM_UP_MS);
  const before = await readMetrics(service.admin);
  const began = performance.now();
  for (const follower of followers.values()) follower.begin({ service: base, relay: relay.url });
  await wait(SECONDS * 1000);
  for (const follower of followers.values()) await follower.end();
  // The event loop's delay is counted from one reading to the next.
  const after = await readMetrics(service.admin);
  const messages = after('perpmeter_book_messages_total') - before('perpmeter_book_messages_total');
  const perSecond = messages / ((performance.now() - began) / 1000);
  const lag = after('nodejs_eventloop_lag_p99_seconds') * 1000;
  const longest = after('nodejs_eventloop_lag_max_seconds') * 1000;
  const ours = figuresOf(measured.service);
  const bare = figuresOf(measured.relay);
  const ratio = { p50: ours.p50 / bare.p50, p99: ours.p99 / bare.p99 };
  const text = (value: number): string => value.toFixed(1);
  const row = (name: 'p50' | 'p99' | 'max') => [`${name}, ms`, text(ours[name]), text(bare[name])];
  console.log(
    tableText(
      ['from frame to quote', 'service', 'relay'],
      [
        ['changes followed', String(ours.count), String(bare.count)],
        ['lost', String(measured.service.lost), String(measured.relay.lost)],
        ...[row('p50'), row('p99'), row('max')],
        ['event loop delay, p99 ms', text(lag), ''],
        ['event loop delay, max ms', text(longest), ''],
      ],
    ),
  );
  const lost = measured.service.lost + measured.relay.lost;
  const kept = ratio.p50 <= RATIO_BARS.p50 && ratio.p99 <= RATIO_BARS.p99;
  const met = kept && perSecond >= MIN_MESSAGES && lost === 0;
  console.log(
    `bench latency ${met ? 'PASS' : 'FAIL'} ${ratio.p50.toFixed(2)} times a bare relay at p50 (bar ${RATIO_BARS.p50}), ` +
      `${ratio.p99.toFixed(2)} at p99 (bar ${RATIO_BARS.p99}): p50 ${text(ours.p50)} p99 ${text(ours.p99)} ms over ` +
      `${rows} rows at ${perSecond.toFixed(0)} messages/s (bar ${MIN_MESSAGES})`,
  );
  process.exitCode = met ? 0 : 1;
} finally {
  await service.stop();
  for (const follower of followers.values()) follower.close();
  for (const { proxy } of others) proxy.close();
  await relay.child.stop(5000);
  await venues.stop(5000);
}
