import { isRelisted } from '../../domain/listing.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { DAY_MS } from '../../runtime/duration.ts';
import { changesOfFacts } from './changes-of-facts.ts';
import { type Confirmed, Doubts } from './doubts.ts';
import type { EventDraft, EventKind, EventValues } from './event.ts';
import type {
  AnnouncedFacts,
  ContractFacts,
  GoneContract,
  KnownContract,
  VenueMemory,
  WholeList,
} from './venue-memory.ts';

/** A contract that came so long before or after another of the same asset went may be that one under a new name. */
const RENAMED_WITHIN_MS = 7 * DAY_MS;
/** Events are kept for so long, and the first list of a venue makes none of an older listing. */
export const KEPT_MS = 400 * DAY_MS;

/** The outcome of a comparison: the events, and the memory for the next list. */
export interface Comparison {
  readonly memory: VenueMemory;
  readonly events: readonly EventDraft[];
}

/**
 * Compares a whole list of a venue with what is known from those before. A change counts when two whole lists in a row show it,
 * and is of the first of them. The first list of a venue tells what the venue itself announces, with its times, and nothing else.
 */
export function compareLists(memory: VenueMemory | undefined, list: WholeList): Comparison {
  return memory === undefined ? firstList(list) : new ListComparison(memory, list).run();
}

function firstList(list: WholeList): Comparison {
  const { venue, at, contracts, announced, takerFeeBps } = list;
  const events: EventDraft[] = [];
  const head = { venue, source: 'announced', seenAt: at, before: {} } as const;
  for (const facts of contracts) {
    const { listedAt, delistsAt } = facts;
    if (listedAt !== undefined && listedAt > at - KEPT_MS) {
      const after: EventValues = { state: 'listed', listsAt: listedAt };
      events.push({ ...head, kind: 'listed', ...namesOf(facts), announcedFor: listedAt, after });
    }
    if (delistsAt !== undefined)
      events.push({
        ...head,
        kind: 'delisted',
        ...namesOf(facts),
        announcedFor: delistsAt,
        after: { delistsAt },
      });
  }
  for (const facts of announced) {
    const time = timeOfListing(facts.listsAt);
    const after: EventValues = { state: 'announced', listsAt: facts.listsAt ?? null };
    const { symbol, ticker } = facts;
    events.push({ ...head, kind: 'listed', symbol, ticker, ...time, after });
  }
  const memory: VenueMemory = {
    watchedSince: at,
    listAt: at,
    ...(takerFeeBps !== undefined && { takerFeeBps }),
    contracts: new Map(contracts.map((facts) => [facts.symbol, { facts, state: 'listed' }])),
    announced: new Map(announced.map((facts) => [facts.symbol, facts])),
    haltedFirst: list.halted,
    gone: [],
    doubts: new Map(),
  };
  return { memory, events };
}

const namesOf = ({ symbol, ticker, canonicalId }: ContractFacts) => ({
  symbol,
  ticker,
  ...(canonicalId !== undefined && { canonicalId }),
});

const timeOfListing = (listsAt: UnixMs | undefined): Pick<EventDraft, 'announcedFor' | 'unannounced'> =>
  listsAt === undefined ? { unannounced: 'not_stated' } : { announcedFor: listsAt };

/** The comparison of one list, which gathers what it finds. */
class ListComparison {
  readonly #before: VenueMemory;
  readonly #list: WholeList;
  readonly #doubts: Doubts;
  readonly #events: EventDraft[] = [];
  readonly #contracts: Map<string, KnownContract>;
  readonly #announced: Map<string, AnnouncedFacts>;
  #gone: GoneContract[];
  /** Contracts of the list by symbol. */
  readonly #listed: ReadonlyMap<string, ContractFacts>;

  constructor(before: VenueMemory, list: WholeList) {
    this.#before = before;
    this.#list = list;
    // After a clock was set back, the list before was no later than this one.
    const lastAt = asMs(Math.min(before.listAt, list.at));
    this.#doubts = new Doubts(before.doubts, list.at, lastAt);
    this.#contracts = new Map(before.contracts);
    this.#announced = new Map(before.announced);
    this.#gone = before.gone.filter(({ at }) => list.at - at <= RENAMED_WITHIN_MS);
    this.#listed = new Map(list.contracts.map((facts) => [facts.symbol, facts]));
  }

  run(): Comparison {
    const { watchedSince, takerFeeBps } = this.#before;
    const fee = this.#venueFee();
    for (const known of this.#before.contracts.values()) this.#known(known, fee?.isChanged === true);
    for (const facts of this.#list.contracts) if (!this.#before.contracts.has(facts.symbol)) this.#new(facts);
    this.#announcements();
    const feeBps = fee?.value ?? takerFeeBps;
    const memory: VenueMemory = {
      watchedSince,
      listAt: this.#list.at,
      ...(feeBps !== undefined && { takerFeeBps: feeBps }),
      contracts: this.#contracts,
      announced: this.#announced,
      haltedFirst: this.#haltedFirst(),
      gone: this.#gone,
      doubts: this.#doubts.left,
    };
    return { memory, events: this.#events };
  }

  #haltedFirst(): ReadonlySet<string> {
    const { halted } = this.#list;
    const left = [...this.#before.haltedFirst].filter(
      (symbol) => !this.#contracts.has(symbol) && (halted.has(symbol) || this.#listed.has(symbol)),
    );
    return new Set(left);
  }

  /** The venue's own taker fee, which holds for all contracts that state none of their own. */
  #venueFee() {
    const before = this.#before.takerFeeBps;
    const { takerFeeBps: after } = this.#list;
    if (before === undefined || after === undefined)
      return after === undefined ? undefined : { value: after, isChanged: false };
    const confirmed = this.#doubts.confirm('fee', before, after);
    if (confirmed === undefined) return undefined;
    this.#add('fee_changed', {}, confirmed, {
      before: { takerFeeBps: before },
      after: { takerFeeBps: after },
    });
    return { value: after, isChanged: true };
  }

  #known(known: KnownContract, hasNewVenueFee: boolean): void {
    const { symbol } = known.facts;
    const facts = this.#listed.get(symbol);
    const state = facts !== undefined ? 'listed' : this.#list.halted.has(symbol) ? 'halted' : 'unlisted';
    const confirmed = this.#doubts.confirm(`state ${symbol}`, known.state, state);
    const now = confirmed === undefined ? known.state : state;
    if (confirmed !== undefined) this.#stateChanged(known, state, confirmed);
    if (now === 'unlisted') return;
    const kept = facts === undefined ? known.facts : this.#compareFacts(known, facts, hasNewVenueFee);
    this.#contracts.set(symbol, { ...known, facts: kept, state: now });
  }

  #stateChanged(
    { facts, state: before }: KnownContract,
    after: 'listed' | 'halted' | 'unlisted',
    confirmed: Confirmed,
  ): void {
    const values = { before: { state: before }, after: { state: after } };
    if (after === 'halted') this.#add('halted', namesOf(facts), confirmed, values);
    if (after === 'listed') this.#add('resumed', namesOf(facts), confirmed, values);
    if (after !== 'unlisted') return;
    this.#contracts.delete(facts.symbol);
    const { delistsAt } = facts;
    const time = delistsAt === undefined ? {} : { announcedFor: delistsAt };
    this.#add('delisted', namesOf(facts), confirmed, { ...time, ...values });
    const gone = { facts, at: confirmed.seenAt };
    const heir = [...this.#contracts.values()].find(
      ({ facts: other, cameAt }) =>
        cameAt !== undefined && Math.abs(gone.at - cameAt) <= RENAMED_WITHIN_MS && isRenamed(facts, other),
    );
    if (heir === undefined) this.#gone.push(gone);
    else this.#renamed(facts, heir.facts, confirmed);
  }

  #compareFacts(known: KnownContract, listed: ContractFacts, hasNewVenueFee: boolean): ContractFacts {
    const { facts: before } = known;
    const { symbol } = before;
    if (before.listedAt !== undefined && isRelisted(before.listedAt, listed.listedAt)) {
      const confirmed = this.#doubts.confirm(`listing ${symbol}`, before.listedAt, listed.listedAt);
      if (confirmed === undefined) return before;
      this.#addListed(listed, confirmed, { state: 'listed', listsAt: before.listedAt });
      return listed;
    }
    const { takerFeeBps } = this.#before;
    const { kept, changes } = changesOfFacts(before, listed, {
      doubts: this.#doubts,
      ...(takerFeeBps !== undefined && { venueFeeBps: takerFeeBps }),
      hasNewVenueFee,
    });
    for (const { kind, confirmed, ...more } of changes) this.#add(kind, namesOf(kept), confirmed, more);
    return kept;
  }

  #new(facts: ContractFacts): void {
    const { symbol } = facts;
    const confirmed = this.#doubts.confirm(`state ${symbol}`, 'unlisted', 'listed');
    if (confirmed === undefined) return;
    const announced = this.#announced.get(symbol);
    this.#announced.delete(symbol);
    const stated = facts.listedAt ?? announced?.listsAt;
    const before: EventValues = { state: announced === undefined ? 'unlisted' : 'announced' };
    if (this.#before.haltedFirst.has(symbol))
      this.#add('resumed', namesOf(facts), confirmed, {
        before: { state: 'halted' },
        after: { state: 'listed' },
      });
    else this.#addListed({ ...facts, ...(stated !== undefined && { listedAt: stated }) }, confirmed, before);
    if (facts.delistsAt !== undefined)
      this.#add('delisted', namesOf(facts), confirmed, {
        source: 'announced',
        announcedFor: facts.delistsAt,
        before: {},
        after: { delistsAt: facts.delistsAt },
      });
    this.#contracts.set(symbol, { facts, state: 'listed', cameAt: confirmed.seenAt });
    const former = this.#gone.find((gone) => isRenamed(gone.facts, facts));
    if (former === undefined) return;
    this.#gone = this.#gone.filter((gone) => gone !== former);
    this.#renamed(former.facts, facts, confirmed);
  }

  #addListed(facts: ContractFacts, confirmed: Confirmed, before: EventValues): void {
    const { listedAt } = facts;
    this.#add('listed', namesOf(facts), confirmed, {
      ...timeOfListing(listedAt),
      before,
      after: { state: 'listed', listsAt: listedAt ?? null },
    });
  }

  #renamed(former: ContractFacts, heir: ContractFacts, confirmed: Confirmed): void {
    this.#add('renamed', namesOf(heir), confirmed, {
      before: { symbol: former.symbol, ticker: former.base },
      after: { symbol: heir.symbol, ticker: heir.base },
    });
  }

  /** Contracts that the list has before they trade. One that is gone from the list, and not traded, was withdrawn. */
  #announcements(): void {
    const now = new Map(this.#list.announced.map((facts) => [facts.symbol, facts]));
    for (const symbol of new Set([...this.#announced.keys(), ...now.keys()])) {
      if (this.#contracts.has(symbol) || this.#listed.has(symbol)) continue;
      const before = this.#announced.get(symbol);
      const after = now.get(symbol);
      const confirmed = this.#doubts.confirm(`launch ${symbol}`, launchOf(before), launchOf(after));
      const { ticker = symbol } = after ?? before ?? {};
      if (confirmed === undefined) continue;
      if (after === undefined) this.#announced.delete(symbol);
      else this.#announced.set(symbol, after);
      const isWithdrawn = after?.listsAt === undefined && before?.listsAt !== undefined;
      this.#add('listed', { symbol, ticker }, confirmed, {
        source: 'announced',
        ...(isWithdrawn ? { unannounced: 'withdrawn' as const } : timeOfListing(after?.listsAt)),
        before: announcedValues(before),
        after: announcedValues(after),
      });
    }
  }

  #add(
    kind: EventKind,
    names: Pick<EventDraft, 'symbol' | 'ticker' | 'canonicalId'>,
    { seenAt, unseenAt }: Confirmed,
    more: Partial<EventDraft> & Pick<EventDraft, 'before' | 'after'>,
  ): void {
    const isUnannounced = more.announcedFor === undefined && more.unannounced === undefined;
    this.#events.push({
      venue: this.#list.venue,
      kind,
      source: 'seen',
      ...names,
      seenAt,
      unseenAt,
      ...(isUnannounced && { unannounced: 'not_stated' }),
      ...more,
    });
  }
}

const launchOf = (facts: AnnouncedFacts | undefined): string =>
  facts === undefined ? 'none' : String(facts.listsAt ?? 'announced');

const announcedValues = (facts: AnnouncedFacts | undefined): EventValues =>
  facts === undefined ? { state: 'unlisted' } : { state: 'announced', listsAt: facts.listsAt ?? null };

/** True if a contract is of the asset and the quote of another one under a new name. */
const isRenamed = (former: ContractFacts, heir: ContractFacts): boolean =>
  former.canonicalId !== undefined &&
  former.canonicalId === heir.canonicalId &&
  former.quote === heir.quote &&
  former.base !== heir.base;
