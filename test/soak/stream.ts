/**
 * Readers of a stream of rows that break off and come back, and slow ones: nothing may be lost or doubled without being
 * said, every reader must end with the rows as they are, and a frame must be with its readers within 100 ms (p99). A
 * buyer in the same process pays meanwhile, and as often without readers, before and after: p99 of a paid call beside
 * readers over that without is what the readers cost the payment path. `npm run soak stream`; exit 1 where a bar is missed.
 */
import { printBars } from '../../scripts/bars.ts';
import { tableText } from '../../src/host/process/table-text.ts';
import { readOptions } from './options.ts';
import { paidBeside } from './paid-beside.ts';
import { type ReadersReport, soakStream } from './stream-run.ts';

const values = readOptions({
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  readers: { type: 'string', default: '1000' },
  reconnects: { type: 'string', default: '10000' },
  'every-ms': { type: 'string', default: '500' },
});
const [seed, readers, reconnects] = [values.seed, values.readers, values.reconnects].map(Number) as [
  number,
  number,
  number,
];
/** Paid calls without readers, before and after; and at least beside them. */
const MIN_CALLS = 400;
/** Readers share the process with the payments; of the work for them no paid call may wait for more than this much. */
const PAID_RATIO = 2;
const paid = await paidBeside();
// The first ones load what they need.
await paid.payUntil(Promise.resolve(), 20);
const alone = await paid.payUntil(Promise.resolve(), MIN_CALLS);
const soaked = soakStream({ seed, readers, reconnects, everyMs: Number(values['every-ms']) }, true);
const beside = await paid.payUntil(soaked, MIN_CALLS);
const { cut, slow } = await soaked;
const after = await paid.payUntil(Promise.resolve(), MIN_CALLS);
await paid.stop();

const rowOf = (name: string, of: ReadersReport): readonly string[] => [
  name,
  ...[of.reconnects, of.resumed, of.conflated, of.refused, of.frames].map(String),
  Object.entries(of.snapshots)
    .map(([why, count]) => `${why} ${count}`)
    .join(', '),
  `${of.latencyMs.p50} / ${of.latencyMs.p99} / ${of.latencyMs.max}`,
];
console.log(
  tableText(
    ['readers', 'breaks', 'resumed', 'conflated', 'refused', 'frames', 'snapshots', 'ms p50/p99/max'],
    [rowOf(`${readers} that break off`, cut), rowOf('4 that are slow', slow)],
  ),
);
const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? Number.NaN;
const without = [...alone, ...after];
const paidRatio = quantile(beside, 0.99) / quantile(without, 0.99);

const missed = printBars([
  { name: 'events lost or doubled without a word', value: cut.unsaid + slow.unsaid, sign: '<=', bar: 0 },
  { name: 'readers that end with other rows', value: cut.wrong + slow.wrong, sign: '<=', bar: 0 },
  { name: 'frame to reader, p99, ms', value: cut.latencyMs.p99, sign: '<=', bar: 100 },
  { name: 'resumed from the ring', value: cut.resumed, sign: '>=', bar: 1 },
  { name: 'conflated for slow readers', value: slow.conflated, sign: '>=', bar: 1 },
  { name: 'paid call, p99 beside readers over without', value: paidRatio, sign: '<=', bar: PAID_RATIO },
]);
const paidText = (times: readonly number[]): string =>
  `${quantile(times, 0.5).toFixed(1)} / ${quantile(times, 0.99).toFixed(1)} ms (${times.length})`;
console.log(
  `paid calls, p50 / p99: ${paidText(alone)} without readers, ${paidText(beside)} beside them, ${paidText(after)} after`,
);
console.log(
  `${readers} readers, ${reconnects} reconnects, ${cut.frames} frames: ${cut.unsaid + slow.unsaid} lost or doubled unsaid, ${cut.wrong + slow.wrong} wrong, p99 ${cut.latencyMs.p99} ms, paid p99 x ${paidRatio.toFixed(2)}, ${missed} bars missed, seed ${seed}`,
);
process.exitCode = missed === 0 ? 0 : 1;
