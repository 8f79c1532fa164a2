import type { ContractTerms } from '../domain/contract-terms.ts';
import { passedListing } from '../domain/listing.ts';
import { nextSettlement } from '../domain/next-settlement.ts';
import { rate8h } from '../domain/rate.ts';
import {
  asBase,
  asHours,
  asMs,
  asPrice,
  asRate,
  asUsd,
  type BaseQty,
  type Hours,
  type Price,
  type RatePerInterval,
  type UnixMs,
  type Usd,
} from '../domain/units.ts';
import {
  type ContractState,
  FIELD_MAX_AGE_MS,
  fieldValue,
  fundingBounds,
  isMarketOpen,
  isRateSettled,
  SLOT,
} from './contract.ts';
import { statedTerms } from './stated-terms.ts';
import type { MarketRow } from './view.ts';

/** The part of a row besides the facts of its contract. */
export type RowFrame = Pick<
  MarketRow,
  | 'venue'
  | 'sourceId'
  | 'ticker'
  | 'canonicalId'
  | 'assetClass'
  | 'comparable'
  | 'uncomparableReason'
  | 'suspectReason'
  | 'fresh'
  | 'rateFresh'
  | 'version'
>;

/** A row, and when a fact of it becomes too old to be shown, or its next settlement has passed. */
export interface BuiltRow {
  readonly row: MarketRow;
  readonly expiresAt: number;
}

/**
 * The row of a contract as of `now`. Open interest and volume in USD follow from base x mark where the venue
 * gives only one, and the reverse. Undefined when nothing is known that is young enough. One literal with every
 * field: rows of one shape are several times cheaper to make and to read.
 *
 * @param touchMaxAge how long a best bid or ask stands without being restated, ms
 */
export function buildRow(
  state: ContractState,
  frame: RowFrame,
  now: UnixMs,
  touchMaxAge: number,
): BuiltRow | undefined {
  const isBeforeMarket = [frame.assetClass, state.instrument.assetClass].includes('prelaunch');
  const fields = new QuoteFieldReader(state, now, touchMaxAge, isBeforeMarket);
  const row = rowOf(fields, state, frame);
  return fields.oldest === Number.POSITIVE_INFINITY ? undefined : { row, expiresAt: fields.expiresAt };
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a line a field of one literal, which makes rows cheap
const rowOf = (fields: QuoteFieldReader, state: ContractState, frame: RowFrame) =>
  ({
    venue: frame.venue,
    sourceId: frame.sourceId,
    symbol: state.instrument.symbol,
    ticker: frame.ticker,
    canonicalId: frame.canonicalId,
    assetClass: frame.assetClass,
    multiplier: state.instrument.multiplier,
    quote: state.instrument.quote,
    listedAt: fields.listedAt,
    contractSize: state.instrument.multiplier * state.instrument.contractSize,
    terms: fields.terms,
    takerFeeBps: state.instrument.takerFeeBps,
    fundingRate: fields.rate,
    rateSettled: fields.rate !== undefined && isRateSettled(state) ? true : undefined,
    fundingIntervalHours: fields.intervalHours(),
    fundingCap: fields.bounds.fundingCap,
    fundingFloor: fields.bounds.fundingFloor,
    rate8h: rate8h(fields.rate, fields.intervalHours()),
    nextFundingTime: fields.nextFundingTime(),
    markPrice: fields.mark,
    indexPrice: fields.read(SLOT.indexPrice, asPrice),
    openInterestRaw: fields.read(SLOT.openInterestRaw, asNumber),
    openInterestBase: fields.base(SLOT.openInterestBase, SLOT.openInterestUsd, fields.mark),
    openInterestUsd: fields.usd(SLOT.openInterestUsd, SLOT.openInterestBase, fields.mark),
    volume24hRaw: fields.read(SLOT.volume24hRaw, asNumber),
    volume24hBase: fields.base(SLOT.volume24hBase, SLOT.volume24hUsd, fields.mark),
    volume24hUsd: fields.usd(SLOT.volume24hUsd, SLOT.volume24hBase, fields.mark),
    bestBid: fields.touch.bid,
    bestAsk: fields.touch.ask,
    hasBook: state.instrument.indicativeBook !== true,
    marketOpen: fields.isOpen,
    opensAt: fields.opensAt(),
    updatedAt: asMs(fields.mark === undefined ? fields.oldest : fields.timeOf(SLOT.markPrice)),
    fundingUpdatedAt: fields.rate === undefined ? undefined : asMs(fields.timeOf(SLOT.fundingRate)),
    indexUpdatedAt: fields.firstTime(INDEX_SLOTS),
    openInterestUpdatedAt: fields.firstTime(INTEREST_SLOTS),
    volumeUpdatedAt: fields.firstTime(VOLUME_SLOTS),
    comparable: frame.comparable,
    uncomparableReason: frame.uncomparableReason,
    suspectReason: frame.suspectReason,
    fresh: frame.fresh,
    rateFresh: frame.rateFresh,
    version: frame.version,
  }) satisfies Required<MarketRow>;

/** Figures that open interest and volume are derived from, the first that is known. */
const INTEREST_SLOTS = [SLOT.openInterestBase, SLOT.openInterestUsd, SLOT.openInterestRaw];
const INDEX_SLOTS = [SLOT.indexPrice];
const VOLUME_SLOTS = [SLOT.volume24hBase, SLOT.volume24hUsd, SLOT.volume24hRaw];

const asNumber = (x: number): number => x;

const NO_TOUCH = { bid: undefined, ask: undefined };

/** Reads the facts that are young enough, and keeps account of their age. */
class QuoteFieldReader {
  oldest = Number.POSITIVE_INFINITY;
  expiresAt = Number.POSITIVE_INFINITY;
  /** Like the interval they do not age, and make no row on their own. */
  readonly bounds: ReturnType<typeof fundingBounds>;
  readonly isOpen: boolean | undefined;
  readonly listedAt: UnixMs | undefined;
  readonly terms: ContractTerms | undefined;
  readonly mark: Price | undefined;
  readonly rate: RatePerInterval | undefined;
  readonly touch: { readonly bid: Price | undefined; readonly ask: Price | undefined };
  /** Where nothing trades yet but this contract, what its venue calls an index is its own price. */
  private readonly isBeforeMarket: boolean;
  private readonly state: ContractState;
  private readonly now: number;

  /**
   * @param touchMaxAge how long a side of the touch stands without being restated, ms
   * @param isBeforeMarket whether the venue or the identity says that nothing of the asset is traded elsewhere yet
   */
  constructor(state: ContractState, now: number, touchMaxAge: number, isBeforeMarket: boolean) {
    this.state = state;
    this.bounds = fundingBounds(state);
    this.now = now;
    this.isOpen = isMarketOpen(state, now);
    this.isBeforeMarket = isBeforeMarket;
    this.listedAt = passedListing(state.instrument.listedAt, now);
    this.terms = statedTerms(state, now);
    this.mark = this.read(SLOT.markPrice, asPrice);
    this.rate = this.read(SLOT.fundingRate, asRate);
    this.touch = this.readTouch(Math.min(touchMaxAge, FIELD_MAX_AGE_MS));
  }

  read<Unit extends number>(
    slot: number,
    unit: (x: number) => Unit,
    maxAge = FIELD_MAX_AGE_MS,
  ): Unit | undefined {
    const value = this.state.values[slot] ?? Number.NaN;
    if (Number.isNaN(value) || (slot === SLOT.indexPrice && this.isBeforeMarket)) return undefined;
    const time = this.timeOf(slot);
    if (this.now - time > maxAge) return undefined;
    if (time < this.oldest) this.oldest = time;
    if (time + maxAge < this.expiresAt) this.expiresAt = time + maxAge;
    return unit(value);
  }

  timeOf(slot: number): number {
    return this.state.times[slot] ?? 0;
  }

  /** An amount of the base asset, as the venue states it or by its amount in USD. */
  base(own: number, usd: number, mark: number | undefined): BaseQty | undefined {
    const stated = this.read(own, asBase);
    const other = this.read(usd, asUsd);
    return stated ?? (other === undefined || mark === undefined ? undefined : asBase(other / mark));
  }

  /** The same in USD. */
  usd(own: number, base: number, mark: number | undefined): Usd | undefined {
    const stated = this.read(own, asUsd);
    const other = this.read(base, asBase);
    return stated ?? (other === undefined || mark === undefined ? undefined : asUsd(other * mark));
  }

  /**
   * Best bid and ask. Crossed sides are of different moments: neither is the touch. Quotes of closed hours are made by a
   * rule of the venue, and no order meets them.
   */
  private readTouch(maxAge: number): { readonly bid: Price | undefined; readonly ask: Price | undefined } {
    if (this.isOpen === false) return NO_TOUCH;
    const bid = this.read(SLOT.bestBid, asPrice, maxAge);
    const ask = this.read(SLOT.bestAsk, asPrice, maxAge);
    const crossed = bid !== undefined && ask !== undefined && bid > ask;
    return crossed ? { bid: undefined, ask: undefined } : { bid, ask };
  }

  /** When a closed market opens again, as young as any fact. Hours make no row, and none is older for them. */
  opensAt(): UnixMs | undefined {
    if (this.isOpen === undefined) return undefined;
    this.expiresAt = Math.min(this.expiresAt, this.timeOf(SLOT.marketOpen) + FIELD_MAX_AGE_MS);
    const stated = this.isOpen ? undefined : fieldValue(this.state, 'opensAt', this.now);
    if (stated === undefined || stated <= this.now) return undefined;
    this.expiresAt = Math.min(this.expiresAt, stated);
    return asMs(stated);
  }

  /** Stated with quotes or in the instrument list. It does not age, and makes no row on its own. */
  intervalHours(): Hours | undefined {
    const stated = this.state.values[SLOT.fundingIntervalHours] ?? Number.NaN;
    return Number.isNaN(stated) ? this.state.instrument.fundingIntervalHours : asHours(stated);
  }

  /** As stated. When the settlement that follows from it has passed, the row is another one. */
  nextFundingTime(): UnixMs | undefined {
    const nextFundingTime = this.read(SLOT.nextFundingTime, asMs);
    const stated = { nextFundingTime, fundingIntervalHours: this.intervalHours() };
    const next = nextSettlement(stated, asMs(this.now));
    if (next !== undefined && next < this.expiresAt) this.expiresAt = next;
    return nextFundingTime;
  }

  /** Time of the first of these figures that is known. */
  firstTime(slots: readonly number[]): UnixMs | undefined {
    for (const slot of slots) {
      if (this.read(slot, asNumber) !== undefined) return asMs(this.timeOf(slot));
    }
    return undefined;
  }
}
