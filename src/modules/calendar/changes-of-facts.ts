import type { Bps } from '../../domain/units.ts';
import type { Confirmed, Doubts } from './doubts.ts';
import type { EventDraft, EventKind } from './event.ts';
import type { ContractFacts } from './venue-memory.ts';

/** A confirmed change of one contract's facts. */
type FactChange = Pick<EventDraft, 'before' | 'after'> &
  Partial<EventDraft> & {
    readonly kind: EventKind;
    readonly confirmed: Confirmed;
  };

interface Grounds {
  readonly doubts: Doubts;
  /** The venue's taker fee until now. */
  readonly venueFeeBps?: Bps;
  /** True where the list changes the venue's fee: it makes one event, and none of a contract that has no fee of its own. */
  readonly hasNewVenueFee: boolean;
}

/**
 * Compares what a list states of a contract with what is known of it. A value that was not known is learned without an event, and
 * one that is not stated any more is kept; an end that is stated is an announcement, and its absence after that the end of it.
 */
export function changesOfFacts(
  before: ContractFacts,
  listed: ContractFacts,
  grounds: Grounds,
): { readonly kept: ContractFacts; readonly changes: readonly FactChange[] } {
  const found = [
    nameChange(before, listed, grounds),
    intervalChange(before, listed, grounds),
    feeChange(before, listed, grounds),
    capChange(before, listed, grounds),
    endChange(before, listed, grounds),
  ];
  const listedAt = listed.listedAt ?? before.listedAt;
  const learned = found.map((compared) => compared.learned);
  const kept: ContractFacts = Object.assign({ ...withoutEnd(before), listedAt }, ...learned);
  return { kept, changes: found.flatMap(({ change }) => change ?? []) };
}

const withoutEnd = ({ delistsAt: _end, ...facts }: ContractFacts): ContractFacts => facts;

/** The values that are known from now on, and the change where one was confirmed. */
interface Compared {
  readonly learned: Partial<ContractFacts>;
  readonly change?: FactChange;
}

/** Another asset under one symbol is a rename where the venue calls it otherwise; else its identity was decided again. */
function nameChange(before: ContractFacts, listed: ContractFacts, { doubts }: Grounds): Compared {
  const { symbol, base, ticker, canonicalId } = listed;
  const learned = { base, ticker, ...(canonicalId !== undefined && { canonicalId }) };
  if (base === before.base) return { learned };
  const confirmed = doubts.confirm(`base ${symbol}`, before.base, base);
  if (confirmed === undefined) return { learned: {} };
  const names = (of: ContractFacts) => ({ symbol, ticker: of.base });
  return { learned, change: { kind: 'renamed', confirmed, before: names(before), after: names(listed) } };
}

function intervalChange(before: ContractFacts, listed: ContractFacts, { doubts }: Grounds): Compared {
  const known = before.intervalHours;
  const shown = listed.intervalHours;
  if (shown === undefined) return { learned: known === undefined ? {} : { intervalHours: known } };
  if (known === undefined) return { learned: { intervalHours: shown } };
  const confirmed = doubts.confirm(`interval ${listed.symbol}`, known, shown);
  if (confirmed === undefined) return { learned: {} };
  return {
    learned: { intervalHours: shown },
    change: {
      kind: 'interval_changed',
      confirmed,
      before: { intervalHours: known },
      after: { intervalHours: shown },
    },
  };
}

function feeChange(before: ContractFacts, listed: ContractFacts, grounds: Grounds): Compared {
  const { doubts, venueFeeBps, hasNewVenueFee } = grounds;
  const { ownFeeBps } = listed;
  const own = { ownFeeBps };
  const known = before.ownFeeBps ?? venueFeeBps;
  const shown = ownFeeBps ?? venueFeeBps;
  const isVenues = hasNewVenueFee && (before.ownFeeBps === undefined || ownFeeBps === undefined);
  if (known === undefined || shown === undefined || isVenues) return { learned: own };
  const confirmed = doubts.confirm(`fee ${listed.symbol}`, known, shown);
  if (confirmed === undefined) return { learned: known === shown ? own : {} };
  const values = { before: { takerFeeBps: known }, after: { takerFeeBps: shown } };
  return { learned: own, change: { kind: 'fee_changed', confirmed, ...values } };
}

/** Bounds of the rate; two of them, which change together at most venues. */
function capChange(before: ContractFacts, listed: ContractFacts, { doubts }: Grounds): Compared {
  const { fundingCap = before.fundingCap, fundingFloor = before.fundingFloor } = listed;
  const learned = { fundingCap, fundingFloor };
  const isChanged = (known: number | undefined, shown: number | undefined) =>
    known !== undefined && shown !== undefined && !isSame(known, shown);
  if (!isChanged(before.fundingCap, fundingCap) && !isChanged(before.fundingFloor, fundingFloor))
    return { learned };
  const text = (facts: Partial<ContractFacts>) => `${facts.fundingCap} ${facts.fundingFloor}`;
  const confirmed = doubts.confirm(`cap ${listed.symbol}`, text(before), text(learned));
  if (confirmed === undefined) return { learned: {} };
  const values = (facts: Partial<ContractFacts>) => ({
    fundingCap: facts.fundingCap ?? null,
    fundingFloor: facts.fundingFloor ?? null,
  });
  return {
    learned,
    change: { kind: 'cap_changed', confirmed, before: values(before), after: values(learned) },
  };
}

/** The last digits of a bound that is worked out may differ, by this share of it. */
const ROUNDED = 1e-6;

const isSame = (a: number, b: number): boolean =>
  Math.abs(a - b) <= ROUNDED * Math.max(Math.abs(a), Math.abs(b));

function endChange(before: ContractFacts, listed: ContractFacts, { doubts }: Grounds): Compared {
  const known = before.delistsAt;
  const shown = listed.delistsAt;
  const confirmed = doubts.confirm(`end ${listed.symbol}`, known, shown);
  const end = confirmed === undefined ? known : shown;
  const learned = end === undefined ? {} : { delistsAt: end };
  if (confirmed === undefined) return { learned };
  return {
    learned,
    change: {
      kind: 'delisted',
      source: 'announced',
      confirmed,
      ...(shown === undefined ? { unannounced: 'withdrawn' } : { announcedFor: shown }),
      before: { delistsAt: known ?? null },
      after: { delistsAt: shown ?? null },
    },
  };
}
