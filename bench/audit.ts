/**
 * CPU time of the laws of the data beside that of decoding the same payloads, JSON.parse included, over all simulated
 * venues; a minute's judgement of all contracts is counted with the payloads of a minute. `npm run bench:audit`; exit 1
 * where the laws cost more than 5 % of decoding, or the second reader more than 5 % of a rate limit in a simulated hour.
 * BENCH_ROUNDS shortens it for a look.
 */

import { loadavg } from 'node:os';
import { answerHelp } from '../scripts/usage.ts';
import { Audit } from '../src/audit/audit.ts';
import { Incidents } from '../src/audit/incidents.ts';
import { tableText } from '../src/cli/table-text.ts';
import type { MarketSink } from '../src/collect/ports.ts';
import type { QuotePatch } from '../src/domain/quote.ts';
import { asMs, asPrice } from '../src/domain/units.ts';
import { createWorld } from '../src/sim/create-world.ts';
import { SIM_VENUES } from '../src/sim/venues/index.ts';
import { VENUES } from '../src/venues/registry.ts';
import { memoryIncidentStore } from '../test/audit/memory-incidents.ts';
import { pairingsOf, type RecordedCall, runAdapter } from '../test/venues/sim-run.ts';
import { secondReaderBudgets } from './audit/second-reader-budget.ts';

answerHelp();

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const WARM_UP = 3;
const BAR = 0.05;
const AT = Date.UTC(2026, 9, 20, 13, 20);
const STEP_MS = 10_000;
/** Rounds of a venue's calls in a minute at least: what a minute's judgement is spread over. */
const ROUNDS_A_MINUTE = 6;

const NOWHERE: MarketSink = { venue: () => {}, instruments: () => {}, quotes: () => {} };

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** The same patches as they are a step later: prices move, as they do. */
function move(patches: readonly QuotePatch[], factor: number): void {
  for (const patch of patches)
    if (patch.markPrice !== undefined) patch.markPrice = asPrice(patch.markPrice * factor);
}

let kept: unknown;
let now = AT;
const audit = new Audit(new Incidents(memoryIncidentStore()), { now: () => asMs(now) });
const sink = audit.before(NOWHERE);
const decodeAll = (calls: readonly RecordedCall[]): void => {
  for (const { text, decode, context } of calls) kept = decode(JSON.parse(text), context);
};

const world = createWorld(1);
const venues = pairingsOf(VENUES, SIM_VENUES, world, AT).map((pairing) => {
  const { adapter } = pairing;
  const run = runAdapter(pairing, world, AT);
  const calls = run.calls.filter(({ decoded }) => decoded.quotes.length > 0);
  sink.instruments(adapter.id, [...run.instruments.values()], asMs(AT));
  return { id: adapter.id, calls, decode: [] as number[], laws: [] as number[], rows: 0 };
});
const minutes: number[] = [];
const quiet = { eachRow: () => [], venues: () => [] };
for (let round = -WARM_UP; round < ROUNDS; round++) {
  now += STEP_MS;
  for (const venue of venues) {
    const decoding = cpuMs(() => decodeAll(venue.calls));
    const payloads = venue.calls.map(({ decoded }) => decoded.quotes);
    for (const patches of payloads) move(patches, round % 2 === 0 ? 1.0001 : 1 / 1.0001);
    const judging = cpuMs(() => {
      for (const patches of payloads) audit.take(venue.id, patches, asMs(now));
    });
    venue.rows = payloads.reduce((sum, { length }) => sum + length, 0);
    if (round < 0) continue;
    venue.decode.push(decoding);
    venue.laws.push(judging);
  }
  const minute = cpuMs(() => audit.minute(quiet, { of: () => undefined }));
  if (round >= 0) minutes.push(minute);
}
if (kept === undefined) throw new Error('nothing was decoded');

console.log(
  tableText(
    ['venue', 'rows', 'decoding ms', 'laws ms', '%'],
    venues.map(({ id, rows, decode, laws }) => {
      const [d, l] = [median(decode), median(laws)];
      return [id, String(rows), d.toFixed(2), l.toFixed(2), ((l / d) * 100).toFixed(1)];
    }),
  ),
);
const decode = venues.reduce((sum, venue) => sum + median(venue.decode), 0);
const laws = venues.reduce((sum, venue) => sum + median(venue.laws), 0) + median(minutes) / ROUNDS_A_MINUTE;
const share = laws / decode;
console.log(
  `laws cost ${(share * 100).toFixed(1)} % of decoding (bar ${BAR * 100} %): ${laws.toFixed(1)} of ${decode.toFixed(1)} ms ` +
    `a round of all venues, a minute's judgement ${median(minutes).toFixed(1)} ms; load ${(loadavg()[0] ?? 0).toFixed(1)}`,
);

const [most] = await secondReaderBudgets(1);
const used = most?.share ?? 0;
console.log(
  `the second reader takes at most ${(used * 100).toFixed(1)} % of a rate limit (bar ${BAR * 100} %): ${most?.pool} of ${most?.venue}, ` +
    `${most?.looks} looks in a simulated hour`,
);
process.exitCode = share < BAR && used <= BAR ? 0 : 1;
