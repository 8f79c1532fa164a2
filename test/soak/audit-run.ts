import { createWorld } from '@perpmeter/sim/create-world';
import { settlementsBefore } from '@perpmeter/sim/history';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import type { SimContract } from '@perpmeter/sim/world';
import type { MarketSink } from '../../src/collect/ports.ts';
import { asHours, asMs, asRate, type UnixMs } from '../../src/domain/units.ts';
import type { VenueId } from '../../src/domain/venue.ts';
import type { Incident } from '../../src/host/incident-board.ts';
import { STEP_FACTOR } from '../../src/market/contract.ts';
import { createInstrumentIdentities } from '../../src/market/identity.ts';
import { createMarket } from '../../src/market/live-table.ts';
import { Audit } from '../../src/modules/audit/audit.ts';
import { Incidents } from '../../src/modules/audit/incidents/incidents.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { heardBy } from '../audit/heard-by.ts';
import { memoryIncidentStore } from '../audit/memory-incidents.ts';
import { memoryIdentityStore, memorySourceIdStore } from '../market/memory-stores.ts';
import { type Pairing, pairingsOf, runAdapter } from '../venues/sim-run.ts';
import { type InjectedFault, type InjectedFaultKind, plantedWorld, renderedAt } from './audit-plants.ts';
import { Random } from './random.ts';

const MINUTE = 60_000;
const BEGINNING = asMs(0);
const END = asMs(8.64e15);
/** Off every settlement, so that rates are no means of a few seconds. */
const FROM = Date.UTC(2026, 9, 20, 13, 20);
/** Live contracts of a venue in these runs. */
const CONTRACTS = 24;
/** Venues that the one which is judged stands beside. */
const BESIDE = ['binance', 'bybit', 'okx'];
const WARM_UP_MINUTES = 12;
/** A fault is looked for so long, and what it leaves behind is given so long to close. */
const SEARCH_MINUTES = 25;
const REST_MINUTES = 13;
/** Faults that need time, or a payment, before anything is another. */
const LATER: readonly InjectedFaultKind[] = [
  'frozen contract',
  'stale stream',
  'retired host',
  'missing settlement',
];

/** All simulated venues, with those that one of them discovers. */
export const AUDITED: readonly { readonly id: VenueId; readonly parent?: VenueId }[] = pairingsOf(
  VENUES,
  SIM_VENUES,
  createWorld(1),
  FROM,
).map(({ adapter }) => adapter);

/** The real decoders, table and rules over simulated venues, a minute at a step. */
export class AuditRun {
  readonly incidents = new Incidents(memoryIncidentStore());
  readonly pairings: readonly Pairing[];
  plant: InjectedFault | undefined;
  now: UnixMs;
  readonly #sink: MarketSink;
  readonly #minute: () => void;
  readonly #world;
  readonly #listed = new Set<string>();

  constructor(seed: number, venues?: readonly string[], from = FROM) {
    this.now = asMs(from);
    this.#world = plantedWorld(createWorld(seed), CONTRACTS, () => this.plant);
    this.pairings = pairingsOf(VENUES, SIM_VENUES, this.#world, from).filter(
      ({ adapter: { id } }) => venues?.includes(id) ?? true,
    );
    const clock = { now: () => this.now };
    const audit = new Audit(this.incidents, clock);
    const market = createMarket({
      clock,
      identity: createInstrumentIdentities(memoryIdentityStore()),
      sourceIds: memorySourceIdStore(),
      suspect: (venue, symbol) => audit.suspect(venue, symbol),
    });
    this.#sink = heardBy(audit, market);
    this.#minute = () => {
      market.sweep();
      void [...audit.minute(market, { of: () => undefined })];
    };
  }

  /** Asks every venue once, and judges; then a minute passes. */
  step(): void {
    for (const pairing of this.pairings) this.#read(pairing);
    this.#minute();
    this.now = asMs(this.now + MINUTE);
  }

  /**
   * One of a venue's largest contracts, and another of another price: two of one price are swapped without a
   * trace. One that is to freeze is that which trades most: others rest longer by themselves.
   */
  chosen(
    kind: InjectedFaultKind,
    { sim }: Pairing,
    random: Random,
  ): Pick<InjectedFault, 'contract' | 'other'> {
    const list = this.#world.contracts(sim.listing);
    const markOf = (simContract: SimContract): number => this.#world.mark(simContract, this.now);
    const traded = (simContract: SimContract): number =>
      this.#world.volume24h(simContract, this.now) * markOf(simContract);
    const drawn = list[Math.floor(random.next() * Math.min(6, list.length))];
    const contract = kind === 'frozen contract' ? list.toSorted((a, b) => traded(b) - traded(a))[0] : drawn;
    const other = list.find(
      (other) => contract && Math.abs(Math.log(markOf(other) / markOf(contract))) > Math.log(STEP_FACTOR),
    );
    if (contract === undefined || other === undefined) throw new Error(`${sim.id} lists too little`);
    return { contract, other };
  }

  /**
   * True if a fault reaches the decoders' input now; one that stands still, or is in the payments, does later.
   */
  changes(plant: InjectedFault, pairing: Pairing): boolean {
    if (LATER.includes(plant.kind)) return true;
    const read = (): string => {
      const { quotes, instruments } = runAdapter(pairing, this.#world, renderedAt(this.plant, this.now));
      const stated = [...quotes.values()].map(({ nextFundingTime, ...rest }) => rest);
      return JSON.stringify([stated, [...instruments.values()]]);
    };
    const before = read();
    this.plant = plant;
    const after = read();
    this.plant = undefined;
    return before !== after;
  }

  /** The venue tells its payments of the last days, one of them left out where that is planted. */
  tellPayments(venue: string, contract: SimContract): void {
    const told = settlementsBefore(this.#world, contract, this.now, 20).toReversed();
    const list = this.plant?.kind === 'missing settlement' ? told.filter((_, i) => i !== 9) : told;
    const intervalHours = asHours(contract.intervalHours);
    const funding = list.map(({ time, rate }) => ({
      symbol: contract.symbol,
      time: asMs(time),
      rate: asRate(rate),
      intervalHours,
    }));
    const decoded = { quotes: [], instruments: [], funding, history: [], books: [], rejects: [] };
    for (const store of this.#sink.stores ?? []) store.take(venue, decoded, this.now);
  }

  #read(pairing: Pairing): void {
    const { adapter } = pairing;
    const plant = this.plant?.venue === adapter.id ? this.plant : undefined;
    const run = runAdapter(pairing, this.#world, renderedAt(plant, this.now));
    if (!this.#listed.has(adapter.id)) this.#sink.venue(adapter, adapter.refreshMs);
    this.#listed.add(adapter.id);
    this.#sink.instruments(adapter.id, [...run.instruments.values()], this.now);
    this.#sink.quotes(adapter.id, [...run.quotes.values()], this.now);
  }
}

export interface Found {
  /** Minutes after it was planted; undefined where it was not found. */
  readonly minutes: number | undefined;
  readonly rules: readonly string[];
}

/** `n/a`: nothing that is read of the venue is another for this fault. */
export type Outcome = Found | 'n/a';

/** Plants faults at one venue, one after another, and says which were found. */
export function findInjectedFaults(
  venue: string,
  kinds: readonly InjectedFaultKind[],
  seed: number,
): Map<InjectedFaultKind, Outcome> {
  const random = new Random(seed);
  const run = new AuditRun(seed, [...new Set([...BESIDE, venue])]);
  const outcomes = new Map<InjectedFaultKind, Outcome>();
  const pairing = run.pairings.find(({ adapter }) => adapter.id === venue);
  if (pairing === undefined) throw new Error(`${venue} is not simulated`);
  for (let i = 0; i < WARM_UP_MINUTES; i++) run.step();
  for (const kind of kinds) {
    awaitQuiet(run);
    const plant = { kind, venue, at: run.now, ...run.chosen(kind, pairing, random) };
    outcomes.set(kind, run.changes(plant, pairing) ? search(run, plant) : 'n/a');
  }
  return outcomes;
}

/** Rates are not judged around settlements: plant where the search ends before one. */
function awaitQuiet(run: AuditRun): void {
  for (let i = 0; i < REST_MINUTES; i++) run.step();
  while (new Date(run.now).getUTCMinutes() < 12 || new Date(run.now).getUTCMinutes() > 32) run.step();
}

function search(run: AuditRun, plant: InjectedFault): Outcome {
  const { venue } = plant;
  const noted = (): readonly Incident[] => run.incidents.between({ from: BEGINNING, to: END, venue });
  // By number, not by time: an incident begins at the venue's stamp, which may be of before the fault was planted.
  const before = new Set(noted().map(({ id }) => id));
  run.plant = plant;
  const opened = (): readonly Incident[] => noted().filter(({ id }) => !before.has(id));
  let minutes = 0;
  for (; minutes < SEARCH_MINUTES && opened().length === 0; minutes++) {
    if (plant.kind === 'missing settlement') run.tellPayments(plant.venue, plant.contract);
    run.step();
  }
  const found = opened();
  run.plant = undefined;
  if (plant.kind === 'missing settlement') run.tellPayments(plant.venue, plant.contract);
  return {
    minutes: found.length === 0 ? undefined : minutes,
    rules: [...new Set(found.map(({ rule }) => rule))],
  };
}

/** Incidents of venues that are as they should be, over so many minutes. */
export function falseAlarms(seed: number, minutes: number, venues?: readonly string[]): readonly Incident[] {
  const run = new AuditRun(seed, venues);
  for (let i = 0; i < minutes; i++) run.step();
  return run.incidents.between({ from: BEGINNING, to: END });
}
