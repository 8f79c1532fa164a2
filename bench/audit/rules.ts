import { createWorld } from '@perpmeter/sim/create-world';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import type { MarketSink } from '../../src/collect/ports.ts';
import type { QuotePatch } from '../../src/domain/quote.ts';
import { asMs, asPrice, asRate } from '../../src/domain/units.ts';
import type { VenueId } from '../../src/domain/venue.ts';
import { createInstrumentIdentities } from '../../src/market/identity.ts';
import { createMarket, type Market, type MarketOptions } from '../../src/market/live-table.ts';
import { Audit } from '../../src/modules/audit/audit.ts';
import { Incidents } from '../../src/modules/audit/incidents/incidents.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { heardBy } from '../../test/audit/heard-by.ts';
import { memoryIncidentStore } from '../../test/audit/memory-incidents.ts';
import { memoryIdentityStore, memorySourceIdStore } from '../../test/market/memory-stores.ts';
import { pairingsOf, type RecordedCall, runAdapter } from '../../test/venues/sim-run.ts';
import { median } from '../statistics.ts';

const AT = Date.UTC(2026, 9, 20, 13, 20);
const STEP_MS = 10_000;
const WARM_UP = 4;

/** CPU time of all rounds of one venue, ms a round. */
export interface VenueCost {
  readonly id: string;
  readonly rows: number;
  readonly decode: number;
  /** The extra time of the live table with the rules. */
  readonly rules: number;
}

export interface LawCosts {
  readonly venues: readonly VenueCost[];
  /** A minute's judgement of all contracts, ms. */
  readonly minute: number;
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The same patches as they are a step later: prices and rates move, as they do. */
function move(patches: readonly QuotePatch[], factor: number): void {
  for (const patch of patches) {
    if (patch.markPrice !== undefined) patch.markPrice = asPrice(patch.markPrice * factor);
    if (patch.indexPrice !== undefined) patch.indexPrice = asPrice(patch.indexPrice * factor);
    if (patch.fundingRate !== undefined) patch.fundingRate = asRate(patch.fundingRate * factor);
  }
}

/** A live table that takes all venues' patches, judged or not. */
class Bench {
  readonly audit: Audit;
  readonly market: Market;
  readonly sink: MarketSink;

  constructor(now: () => number, isJudged: boolean) {
    const clock = { now: () => asMs(now()) };
    this.audit = new Audit(new Incidents(memoryIncidentStore()), clock);
    const options: MarketOptions = {
      clock,
      identity: createInstrumentIdentities(memoryIdentityStore()),
      sourceIds: memorySourceIdStore(),
    };
    this.market = createMarket(options);
    this.sink = isJudged ? heardBy(this.audit, this.market) : this.market.sink;
  }
}

type Tables = readonly [plain: Bench, judged: Bench];

/** One venue's payloads, and the CPU of decoding them and of taking them over, ms a round. */
interface VenueRun {
  readonly id: VenueId;
  readonly calls: readonly RecordedCall[];
  readonly payloads: readonly QuotePatch[][];
  readonly decode: number[];
  readonly taken: readonly [plain: number[], judged: number[]];
}

/** All simulated venues, with their contracts in both tables. */
function venueRuns(tables: Tables): readonly VenueRun[] {
  const world = createWorld(1);
  return pairingsOf(VENUES, SIM_VENUES, world, AT).map((pairing) => {
    const { adapter } = pairing;
    const run = runAdapter(pairing, world, AT);
    const calls = run.calls.filter(({ decoded }) => decoded.quotes.length > 0);
    for (const { sink } of tables) {
      sink.venue(adapter, adapter.refreshMs);
      sink.instruments(adapter.id, [...run.instruments.values()], asMs(AT));
    }
    const payloads = calls.map(({ decoded }) => decoded.quotes);
    return { id: adapter.id, calls, payloads, decode: [], taken: [[], []] };
  });
}

/** Decodes and takes over what a venue says by both tables, and notes the CPU of a round that counts. */
function playRound(
  { id, calls, payloads, decode, taken }: VenueRun,
  tables: Tables,
  round: number,
  now: number,
): void {
  const [plain, judged] = tables;
  const decoding = cpuMs(() => decodeAll(calls));
  for (const patches of payloads) move(patches, round % 2 === 0 ? 1.0001 : 1 / 1.0001);
  const take = (table: Bench): number =>
    cpuMs(() => {
      for (const patches of payloads) table.sink.quotes(id, patches, asMs(now));
    });
  // The second one finds the patches in the cache: each is second every other time.
  const isPlainFirst = (round + WARM_UP) % 4 < 2;
  const first = take(isPlainFirst ? plain : judged);
  const second = take(isPlainFirst ? judged : plain);
  if (round < 0) return;
  decode.push(decoding);
  taken[0].push(isPlainFirst ? first : second);
  taken[1].push(isPlainFirst ? second : first);
}

/** Decodes and takes over what all simulated venues say, round by round, by one table with the rules and one without. */
export function ruleCosts(rounds: number): LawCosts {
  let now = AT;
  const tables: Tables = [new Bench(() => now, false), new Bench(() => now, true)];
  const [, judged] = tables;
  const venues = venueRuns(tables);
  const minutes: number[] = [];
  for (let round = -WARM_UP; round < rounds; round++) {
    now += STEP_MS;
    for (const venue of venues) playRound(venue, tables, round, now);
    const minute = cpuMs(() => void [...judged.audit.minute(quiet(judged), { of: () => undefined })]);
    if (round >= 0) minutes.push(minute);
  }
  return {
    minute: median(minutes),
    venues: venues.map(({ id, payloads, decode, taken: [without, withRules] }) => ({
      id,
      rows: payloads.reduce((sum, { length }) => sum + length, 0),
      decode: median(decode),
      rules: median(withRules) - median(without),
    })),
  };
}

/** The contracts without rows beside each other: these are judged in the sweep's own time. */
const quiet = ({ market: { contracts } }: Bench) => ({
  contracts,
  view: { eachRow: () => [], venues: () => [] },
});

let kept: unknown;
function decodeAll(calls: readonly RecordedCall[]): void {
  for (const { text, decode, context } of calls) kept = decode(JSON.parse(text), context);
  if (kept === undefined) throw new Error('nothing was decoded');
}
