import {
  asBase,
  asMs,
  asPrice,
  asUsd,
  type BaseQty,
  type Price,
  type UnixMs,
  type Usd,
} from '../../domain/units.ts';
import type { TradeEvent } from './event-rows.ts';

/** Length of a bar, ms. */
export const BAR_MS = 60_000;

/** Trades of one contract in one minute. Amounts count tickers and dollars; a liquidation in the book is part of them. */
export interface TakerBar {
  readonly symbol: string;
  /** Begin of the minute. */
  readonly start: UnixMs;
  readonly buyBase: BaseQty;
  readonly sellBase: BaseQty;
  readonly buyUsd: Usd;
  readonly sellUsd: Usd;
  /** Rows, with those of unknown value. */
  readonly count: number;
  /** Rows whose value is unknown: the amounts are without them. */
  readonly unvalued: number;
  /** Value of the largest row. */
  readonly largestUsd: Usd;
  /** Dollars by base units of all rows that are valued; undefined where none is. */
  readonly vwap?: Price;
  readonly first: Price;
  readonly last: Price;
  /** Numbers that the contract's sequence skipped within the minute; undefined where rows have no sequence. */
  readonly missing?: number;
  /** The first and the last number, by which a gap between two minutes shows. */
  readonly sequences?: readonly [first: number, last: number];
}

/** A bar that is still filled. */
interface OpenBar {
  readonly symbol: string;
  readonly start: UnixMs;
  buyBase: number;
  sellBase: number;
  buyUsd: number;
  sellUsd: number;
  count: number;
  unvalued: number;
  largestUsd: number;
  first: Price;
  firstTime: number;
  last: Price;
  lastTime: number;
  lowest: number;
  highest: number;
  numbered: number;
}

function openBar(symbol: string, start: UnixMs, { price, time }: PricedTrade): OpenBar {
  return {
    symbol,
    start,
    buyBase: 0,
    sellBase: 0,
    buyUsd: 0,
    sellUsd: 0,
    count: 0,
    unvalued: 0,
    largestUsd: 0,
    first: price,
    firstTime: time,
    last: price,
    lastTime: Number.NEGATIVE_INFINITY,
    lowest: Number.POSITIVE_INFINITY,
    highest: Number.NEGATIVE_INFINITY,
    numbered: 0,
  };
}

type PricedTrade = TradeEvent & { readonly price: Price };

function addAmounts(bar: OpenBar, { takerSide, sizeBase, sizeUsd }: TradeEvent): void {
  if (sizeBase === undefined || sizeUsd === undefined) {
    bar.unvalued++;
    return;
  }
  if (takerSide === 'buy') {
    bar.buyBase += sizeBase;
    bar.buyUsd += sizeUsd;
  } else {
    bar.sellBase += sizeBase;
    bar.sellUsd += sizeUsd;
  }
  if (sizeUsd > bar.largestUsd) bar.largestUsd = sizeUsd;
}

function addTrade(bar: OpenBar, trade: PricedTrade): void {
  const { price, time, sequence } = trade;
  bar.count++;
  addAmounts(bar, trade);
  if (time < bar.firstTime) {
    bar.first = price;
    bar.firstTime = time;
  }
  if (time >= bar.lastTime) {
    bar.last = price;
    bar.lastTime = time;
  }
  if (sequence === undefined) return;
  bar.numbered++;
  bar.lowest = Math.min(bar.lowest, sequence);
  bar.highest = Math.max(bar.highest, sequence);
}

function closed(bar: OpenBar): TakerBar {
  const { symbol, start, buyBase, sellBase, buyUsd, sellUsd, count, unvalued, largestUsd, first, last } = bar;
  const base = buyBase + sellBase;
  return {
    symbol,
    start,
    buyBase: asBase(buyBase),
    sellBase: asBase(sellBase),
    buyUsd: asUsd(buyUsd),
    sellUsd: asUsd(sellUsd),
    count,
    unvalued,
    largestUsd: asUsd(largestUsd),
    ...(base > 0 && { vwap: asPrice((buyUsd + sellUsd) / base) }),
    first,
    last,
    ...(bar.numbered > 0 && {
      missing: bar.highest - bar.lowest + 1 - bar.numbered,
      sequences: [bar.lowest, bar.highest] as const,
    }),
  };
}

/** Numbers that were skipped between two bars of a contract; undefined where either has no sequence. */
export function missingBetween(earlier: TakerBar, later: TakerBar): number | undefined {
  if (earlier.sequences === undefined || later.sequences === undefined) return undefined;
  return Math.max(0, later.sequences[0] - earlier.sequences[1] - 1);
}

/**
 * Adds up trades of one venue, each given once, to bars of a minute. A minute is closed when a trade comes that is later
 * than its end by more than the lateness that is waited for; what comes for it then is counted and left out. It has no
 * clock.
 */
export class TakerBars {
  readonly #lateMs: number;
  /** By contract and minute. */
  readonly #open = new Map<string, Map<number, OpenBar>>();
  #newest = Number.NEGATIVE_INFINITY;
  #late = 0;

  /** @param lateMs time for which a minute waits for late rows after its end */
  constructor(lateMs: number) {
    this.#lateMs = lateMs;
  }

  /** Trades that came for minutes that were closed. */
  get late(): number {
    return this.#late;
  }

  /** Adds a trade. False where its minute is closed, or the trade has no price. */
  add(trade: TradeEvent): boolean {
    const { symbol, time, price } = trade;
    if (price === undefined) return false;
    const start = Math.floor(time / BAR_MS) * BAR_MS;
    if (this.#isClosed(start)) {
      this.#late++;
      return false;
    }
    if (time > this.#newest) this.#newest = time;
    const minutes = this.#open.get(symbol) ?? new Map<number, OpenBar>();
    this.#open.set(symbol, minutes);
    const priced = { ...trade, price };
    const bar = minutes.get(start) ?? openBar(symbol, asMs(start), priced);
    minutes.set(start, bar);
    addTrade(bar, priced);
    return true;
  }

  #isClosed(start: number): boolean {
    return start + BAR_MS + this.#lateMs < this.#newest;
  }

  /** Takes out the bars of minutes that are over, oldest first; all that are open with `isEnd`. */
  close(isEnd = false): readonly TakerBar[] {
    const over: TakerBar[] = [];
    for (const [symbol, minutes] of this.#open) {
      for (const [start, bar] of minutes) {
        if (!isEnd && !this.#isClosed(start)) continue;
        over.push(closed(bar));
        minutes.delete(start);
      }
      if (minutes.size === 0) this.#open.delete(symbol);
    }
    return over.sort((a, b) => a.start - b.start || (a.symbol < b.symbol ? -1 : 1));
  }
}
