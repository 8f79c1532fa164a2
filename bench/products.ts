/**
 * Requests per second and p99 of every data endpoint over 9,000 rows that go on changing, payments off, one process;
 * and the CPU time of every scan right after the table has changed, over that of `JSON.stringify` of the same rows: an
 * absolute time says little of a machine that others use too. `npm run bench products`; exit 1 where a scan is above its
 * bar.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { answerHelp } from '../scripts/usage.ts';
import { ResponseCache } from '../src/api/answers/response-cache.ts';
import { Targets } from '../src/api/request/target.ts';
import { isWire } from '../src/domain/read.ts';
import { tableText } from '../src/host/process/table-text.ts';
import { ROUTES } from '../src/modules/routes.ts';
import { readPorts } from '../src/runtime/port.ts';
import { systemTimer } from '../src/runtime/timer.ts';
import { describeMachine } from './machine.ts';
import { runClients } from './products/clients.ts';
import { benchWorld } from './products/services.ts';
import { median, quantile } from './statistics.ts';

answerHelp();

const SCANS = [
  '/v1/perp/arbitrage/funding',
  '/v1/perp/arbitrage/funding-signal',
  '/v1/perp/arbitrage/price',
  '/v1/preview/funding-signal',
  '/v1/rwa/perp-coverage',
  '/v1/perp/volume-anomalies',
];
/** CPU of a scan over that of `JSON.stringify` of all rows it looks at. */
const SCAN_BAR = 1.5;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 60);
const WARM_UP = 20;
const LOAD_MS = Number(process.env.BENCH_LOAD_MS ?? 700);
const CONNECTIONS = 16;

const TICKERS = ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE', 'LINK', 'AVAX', 'ADA', 'LTC', 'NVDA'];
const VENUES = ['binance', 'bybit', 'okx', 'gate', 'hyperliquid'];

/** Requests to a route: each of some assets and venues in turn, so that no one answer is all that is served. */
function requestsTo(path: string): readonly string[] {
  const day = '2026-10-20';
  const fill = (ticker: string, venue: string): string => {
    const at = path.replace('{symbol}', ticker).replace('{venue}', venue);
    const route = ROUTES.find((target) => target.path === path);
    const query = [...(route?.queryParameters ?? [])].flatMap(([name, declared]) => {
      if (name === 'ticker' && (declared.required || path.includes('coverage') === false)) {
        return path.includes('anomalies') || path.includes('oracle') ? [] : [`ticker=${ticker}`];
      }
      if (name === 'venue' && declared.required) return [`venue=${venue}`];
      if (name === 'from' && declared.required) return [`from=${day}T00:00:00Z`, `to=${day}T12:00:00Z`];
      if (name === 'symbol') return [`symbol=${ticker}`];
      return [];
    });
    return query.length === 0 ? at : `${at}?${query.join('&')}`;
  };
  return TICKERS.flatMap((ticker, i) => fill(ticker, VENUES[i % VENUES.length] ?? ''));
}

/** CPU ms that some work takes. */
async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * CPU of one answer right after a venue's rows have changed (the table's own upkeep, the scan and its bytes), and of
 * writing the table's rows as JSON, in turn, so that both meet the same machine.
 */
async function scanCosts(): Promise<readonly (readonly string[])[]> {
  const { options, change } = benchWorld();
  const cache = new ResponseCache(
    { ...options, soldHeaders: [], readPort: readPorts() },
    { timer: systemTimer, coalesceMs: 0, maxBytes: 1e8 },
  );
  const targets = new Targets(ROUTES);
  const { signal } = new AbortController();
  const rows: string[][] = [];
  for (const path of SCANS) {
    const target = targets.find(path);
    if (target === undefined) throw new Error(`no route ${path}`);
    const costs: number[] = [];
    const written: number[] = [];
    for (let i = 0; i < ROUNDS + WARM_UP; i++) {
      change();
      const cost = await cpuOf(async () => {
        const answer = await cache.answer(target, () => signal);
        if (!answer.ok || answer.value.identity.body.length === 0) throw new Error(`${path} did not answer`);
      });
      const seen = options.market.rows();
      const write = await cpuOf(() => JSON.stringify(seen));
      if (i < WARM_UP) continue;
      costs.push(cost);
      written.push(write);
    }
    const scan = median(costs);
    const json = median(written);
    const ratio = scan / json;
    const verdict = ratio <= SCAN_BAR ? 'ok' : 'MISSED';
    rows.push([path, scan.toFixed(2), json.toFixed(2), ratio.toFixed(2), verdict]);
  }
  return rows;
}

interface Serving {
  readonly rows: number;
  readonly lines: readonly (readonly string[])[];
}

async function loadEndpoints(): Promise<Serving> {
  const file = fileURLToPath(new URL('./products/server.ts', import.meta.url));
  const child = fork(file, { execArgv: ['--import', 'tsx'] });
  const report = (): Promise<Readonly<Record<string, unknown>>> =>
    new Promise((resolve) => child.once('message', (message) => resolve(isWire(message) ? message : {})));
  const { port, rows } = await report();
  const lines: string[][] = [];
  for (const { path } of ROUTES.filter(({ access, tags }) => access === 'paid' || tags.includes('preview'))) {
    const paths = requestsTo(path);
    await runClients(Number(port), paths, CONNECTIONS, LOAD_MS / 4);
    const begun = report();
    child.send('begin');
    await begun;
    const load = await runClients(Number(port), paths, CONNECTIONS, LOAD_MS);
    const ended = report();
    child.send('end');
    const { cpuSeconds } = await ended;
    lines.push([
      path,
      [...load.statuses].sort().join(' '),
      Math.round(load.responses / load.seconds).toString(),
      Math.round(load.responses / Number(cpuSeconds)).toString(),
      quantile(load.latencies, 0.5).toFixed(2),
      quantile(load.latencies, 0.99).toFixed(2),
    ]);
  }
  child.disconnect();
  return { rows: Number(rows), lines };
}

const { rows, lines } = await loadEndpoints();
console.log(`${describeMachine()}; ${rows} rows, ${CONNECTIONS} connections`);
console.log(tableText(['endpoint', 'status', 'req/s', 'req/CPU-s', 'p50 ms', 'p99 ms'], lines));
const scans = await scanCosts();
const heads = ['scan after a change', 'CPU ms, median', 'JSON of the rows', 'ratio', `bar ${SCAN_BAR}`];
console.log(tableText(heads, scans));
const missed = scans.filter((line) => line[4] !== 'ok');
const dearest = Math.max(...scans.map((line) => Number(line[3])));
const least = lines.reduce((a, b) => (Number(a[2]) < Number(b[2]) ? a : b));
console.log(
  `bench products ${missed.length === 0 ? 'PASS' : 'FAIL'} dearest scan ${dearest.toFixed(2)} of JSON.stringify of its rows (bar ${SCAN_BAR}), least ${least[2]} req/s at ${least[0]} with p99 ${least[5]} ms`,
);
process.exitCode = missed.length === 0 ? 0 : 1;
