/**
 * Readers of paid streams by both protocols that break off and come back, payments that come late or not, venues that fall silent,
 * and a service that is killed, or with `--hosts 2` one of two over a PostgreSQL of their own, whose readers go on at the other: judged by what readers received and by the payments, with none of the service's counters.
 * `npm run soak paid-stream`; exit 1 where a bar is missed.
 */
import { printBars } from '../../scripts/bars.ts';
import { tableText } from '../../src/host/process/table-text.ts';
import { PostgresServer } from '../pay/postgres-server.ts';
import { readOptions } from './options.ts';
import type { PaidSoakReport } from './paid-stream-followed.ts';
import { PaidSoak } from './paid-stream-run.ts';

const values = readOptions({
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  readers: { type: 'string', default: '1000' },
  breaks: { type: 'string', default: '10000' },
  kills: { type: 'string', default: '6' },
  seconds: { type: 'string', default: '1200' },
  'every-ms': { type: 'string', default: '500' },
  hosts: { type: 'string', default: '1' },
});
const numberOf = (name: keyof typeof values): number => Number(values[name]);
const seed = numberOf('seed');
console.log(`seed ${seed}`);
const readers = numberOf('readers');
const breaks = numberOf('breaks');
const options = {
  seed,
  readers,
  breaks,
  kills: numberOf('kills'),
  seconds: numberOf('seconds'),
  everyMs: numberOf('every-ms'),
};

/** Over one host, or over two that share a server. */
async function run(): Promise<PaidSoakReport> {
  if (values.hosts === '1') return new PaidSoak(options).run();
  const server = await PostgresServer.start();
  try {
    return await new PaidSoak({ ...options, postgres: await server.database('streams') }).run();
  } finally {
    await server.stop();
  }
}
const seen = await run();

/** A frame may take so many times as long as one of the free stream of the same run. */
const FRAME_RATIO = 3;
const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? Number.NaN;
const ratio = quantile(seen.paidMs, 0.99) / Math.max(1, quantile(seen.freeMs, 0.99));
const timesOf = (times: readonly number[]): string =>
  [0.5, 0.99, 1].map((share) => quantile(times, share)).join(' / ');
console.log(
  tableText(
    ['streams', 'readers', 'opened SSE / WS', 'payments', 'kills', 'pauses', 'whole', 'conflated', 'refused'],
    [
      [
        seen.streams,
        readers,
        `${seen.breaks.events} / ${seen.breaks.socket}`,
        seen.payments,
        seen.kills,
        seen.paused,
        seen.wholes,
        seen.conflated,
        seen.refused,
      ].map(String),
    ],
  ),
);
console.log(
  tableText(
    ['frames', 'count', 'ms p50 / p99 / max'],
    [
      ['paid', String(seen.paidMs.length), timesOf(seen.paidMs)],
      ['free', String(seen.freeMs.length), timesOf(seen.freeMs)],
    ],
  ),
);
const missed = printBars([
  { name: 'seconds served beyond paid ones and the grace', value: seen.unpaidSeconds, sign: '<=', bar: 0 },
  { name: 'broken minutes that were not credited', value: seen.uncredited, sign: '<=', bar: 0 },
  { name: 'minutes in sums that no payment or kill made', value: seen.wrongSums, sign: '<=', bar: 0 },
  { name: 'events lost or doubled without a word', value: seen.unsaid, sign: '<=', bar: 0 },
  { name: 'readers that end with other rows', value: seen.wrong, sign: '<=', bar: 0 },
  { name: 'faults of the service', value: seen.faults, sign: '<=', bar: 0 },
  { name: 'frame, p99 over that of the free stream', value: ratio, sign: '<=', bar: FRAME_RATIO },
  { name: 'pauses for want of minutes or rows', value: seen.paused, sign: '>=', bar: 1 },
]);
console.log(
  `paid-stream: ${readers} readers, ${breaks} breaks, ${seen.kills} kills of ${values.hosts} host(s), ${seen.payments} payments: ${seen.unpaidSeconds} s unpaid, ${seen.uncredited} uncredited, ${seen.unsaid} unsaid, ${seen.wrong} wrong, frame p99 x ${ratio.toFixed(2)}, ${missed} bars missed, seed ${seed}`,
);
process.exitCode = missed === 0 ? 0 : 1;
