/**
 * From the arrival of a book frame to its quote over HTTP, with everything running: the simulated venues stream the
 * books of all venues, the service keeps 33 venues, the live table and the history, and one client asks for the
 * quotes whose change is under way. `npm run bench:latency`; exit 1 where p99 is above its bar.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'undici';
import { answerHelp } from '../scripts/usage.ts';
import { tableText } from '../src/cli/table-text.ts';
import { BookProxy, type Passed } from './latency/proxy.ts';
import { type Running, readMetrics, startService, startVenues } from './latency/service.ts';

answerHelp();

const SYMBOLS = ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE'].map((ticker) => `${ticker}-USDT-SWAP`);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
/** Steps a second of every book. */
const RATE = process.env.BENCH_BOOK_RATE ?? '1';
const WARM_UP_MS = Number(process.env.BENCH_WARM_UP_MS ?? 30_000);
const P99_BAR_MS = 50;
const LEAST_MESSAGES = 2000;
/** A change that is not seen for so long was overtaken or lost: it is counted as such. */
const LOST_MS = 2000;

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;

/** Asks for a quote until it contains the change. Undefined where it never does. */
async function untilVisible(client: Client, change: Passed): Promise<number | undefined> {
  const [ticker = ''] = change.symbol.split('-');
  const path = `/v1/orderbook/okx/${ticker}/top`;
  while (performance.now() - change.mark < LOST_MS) {
    const { statusCode, body } = await client.request({ method: 'GET', path });
    const quote = (await body.json()) as { readonly timestamp?: string };
    const seen = performance.now();
    if (statusCode === 200 && Date.parse(quote.timestamp ?? '') >= change.at) return seen - change.mark;
  }
  return undefined;
}

/** One change at a time, the next one that passes after the last was seen. */
class Follower {
  readonly latencies: number[] = [];
  lost = 0;
  #busy = false;
  #client: Client | undefined;

  begin(client: Client): void {
    this.#client = client;
  }

  end(): void {
    this.#client = undefined;
  }

  passed(change: Passed): void {
    const client = this.#client;
    if (client === undefined || this.#busy) return;
    this.#busy = true;
    untilVisible(client, change).then(
      (ms) => {
        if (ms === undefined) this.lost += 1;
        else this.latencies.push(ms);
        this.#busy = false;
      },
      () => {
        this.lost += 1;
        this.#busy = false;
      },
    );
  }
}

async function untilLive({ port }: Running): Promise<number> {
  for (let i = 0; i < 600; i++) {
    await wait(200);
    const reply = await fetch(`http://127.0.0.1:${port}/v1/health`).catch(() => undefined);
    const health = (await reply?.json()) as { rows: number; venues: { live: number } } | undefined;
    if (health !== undefined && health.venues.live >= 33) return health.rows;
  }
  throw new Error('the venues are not all live after two minutes');
}

const { child: venues, url } = await startVenues(RATE);
const follower = new Follower();
const proxy = new BookProxy(`${url.replace('http', 'ws')}/okx`, new Set(SYMBOLS), (change) =>
  follower.passed(change),
);
const service = await startService(url, await proxy.address());
try {
  const rows = await untilLive(service);
  await wait(WARM_UP_MS);
  const client = new Client(`http://127.0.0.1:${service.port}`);
  const before = await readMetrics(service.admin);
  const began = performance.now();
  follower.begin(client);
  await wait(SECONDS * 1000);
  follower.end();
  // The event loop's delay is counted from one reading to the next.
  const after = await readMetrics(service.admin);
  const messages = after('perpmeter_book_messages') - before('perpmeter_book_messages');
  const perSecond = messages / ((performance.now() - began) / 1000);
  const sorted = [...follower.latencies].sort((a, b) => a - b);
  const lag = after('nodejs_eventloop_lag_p99_seconds') * 1000;
  const longest = after('nodejs_eventloop_lag_max_seconds') * 1000;
  await client.close();
  const [p50, p99, max] = [quantile(sorted, 0.5), quantile(sorted, 0.99), sorted.at(-1) ?? Number.NaN];
  const text = (ms: number): string => ms.toFixed(1);
  console.log(
    tableText(
      ['what', 'value'],
      [
        ['rows', String(rows)],
        ['book messages a second', perSecond.toFixed(0)],
        ['changes followed', `${sorted.length}, ${follower.lost} lost`],
        ['frame to quote, p50 ms', text(p50)],
        ['frame to quote, p99 ms', text(p99)],
        ['frame to quote, max ms', text(max)],
        ['event loop delay, p99 ms', text(lag)],
        ['event loop delay, max ms', text(longest)],
      ],
    ),
  );
  const met = p99 < P99_BAR_MS && perSecond >= LEAST_MESSAGES && follower.lost === 0;
  console.log(
    `bench:latency ${met ? 'PASS' : 'FAIL'} p50 ${text(p50)} p99 ${text(p99)} (bar ${P99_BAR_MS}) max ${text(max)} ms at ${perSecond.toFixed(0)} messages/s (bar ${LEAST_MESSAGES}), event loop p99 ${text(lag)} ms`,
  );
  process.exitCode = met ? 0 : 1;
} finally {
  await service.stop();
  proxy.close();
  await venues.stop(5000);
}
