import { isFault } from '../../src/domain/reject.ts';
import { asMs, type UnixMs } from '../../src/domain/units.ts';
import { createRegistry } from '../../src/market/registry/lookup.ts';
import { makeRow } from '../../src/market/row-fixture.ts';
import { isDollar } from '../../src/modules/spot/grammar/pairs.ts';
import type { SpotDecoded, SpotMarket, SpotTicker } from '../../src/modules/spot/spot-rows.ts';
import type { BorrowStore, DayOfRates } from '../../src/modules/spot-market/borrow/borrow-store.ts';
import { BorrowTable } from '../../src/modules/spot-market/borrow/borrow-table.ts';
import { APART_LIMIT } from '../../src/modules/spot-market/market/apart.ts';
import { priceOf } from '../../src/modules/spot-market/market/spot-price.ts';
import { SpotTable } from '../../src/modules/spot-market/market/spot-table.ts';
import { SPOT_PERIODS } from '../../src/modules/spot-market/spot-collector.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { AT } from '../spot/answers/answer.ts';

/** A venue that is never damaged. */
const WITNESS = 'witness';
/** No coin costs more an hour. */
const DEAREST = 0.001;
const LIST = 'list';
/** The next tickers come before the assets of markets are decided again. */
const SOON_MS = SPOT_PERIODS.tickers;

const REGISTRY = createRegistry();

/** Perpetuals whose index is what the venue's own undamaged tickers say, by coin. */
function perpsOf(markets: readonly SpotMarket[], tickers: readonly SpotTicker[]) {
  const listed = new Map(markets.map((market) => [market.symbol, market]));
  const indexes = new Map<string, number>();
  for (const row of tickers) {
    const market = listed.get(row.symbol);
    const price = priceOf(row);
    if (market === undefined || price === undefined || !isDollar(market.quote)) continue;
    if (!indexes.has(market.ticker)) indexes.set(market.ticker, price);
  }
  const indexOf = (id: string) => indexes.get(id.replace(/^crypto:|~.*$/g, ''));
  const rows = new Map<string, ReturnType<typeof makeRow>[]>();
  const rowsOf = (id: string) => {
    const index = indexOf(id);
    if (index === undefined) return [];
    if (!rows.has(id)) rows.set(id, [makeRow({ index, mark: index })]);
    return rows.get(id) ?? [];
  };
  return { rowsOf, identitiesOf: (ticker: string) => [`crypto:${ticker}`], indexOf, ids: () => rows.keys() };
}

/** Samples in memory; every rate that was written is remembered. */
function rememberingStore() {
  const days = new Map<string, DayOfRates>();
  const store: BorrowStore = {
    day: (venue, ticker, day) => days.get(`${venue} ${ticker} ${day}`),
    save: (stored) => {
      for (const { venue, ticker, day, rates } of stored) days.set(`${venue} ${ticker} ${day}`, rates);
    },
    dropBefore: () => undefined,
    close: async () => undefined,
  };
  const take = (): readonly number[] => {
    const rates = [...days.values()].flat().filter((rate) => rate !== null);
    days.clear();
    return rates;
  };
  return { store, take };
}

const isSound = (value: number | undefined, least: (number: number) => boolean): boolean =>
  value === undefined || (Number.isFinite(value) && least(value));

function unsoundTicker(row: SpotTicker, index: number): string[] {
  const prices = [row.bestBid, row.bestAsk, row.midPrice, row.lastPrice];
  const amounts = [row.bestBidSize, row.bestAskSize, row.volume24hBase, row.volume24hQuote, row.volume24hUsd];
  const price = priceOf(row) ?? Number.NaN;
  const faults = [
    prices.every((value) => isSound(value, (number) => number > 0)) || 'a price that is none',
    amounts.every((value) => isSound(value, (number) => number >= 0)) || 'an amount that is none',
    !((row.bestBid ?? 0) > (row.bestAsk ?? Number.POSITIVE_INFINITY)) || 'a bid above the ask',
    Math.abs(price / index - 1) <= APART_LIMIT * 1.0001 || `a price of ${price} beside an index of ${index}`,
  ];
  return faults.filter((fault) => fault !== true).map((fault) => `offered ${row.symbol}: ${fault}`);
}

/** The tables of what is sold of spot, into which undamaged and damaged answers of one venue are taken. */
export class SpotTables {
  readonly #venue: string;
  readonly #good: SpotDecoded;
  readonly #perps: ReturnType<typeof perpsOf>;
  readonly #spot: SpotTable;
  readonly #borrow: BorrowTable;
  readonly #samples = rememberingStore();
  readonly #coins: ReadonlySet<string>;
  readonly #before: string;
  readonly #witness: string;
  #now = AT;

  /** @param good all that the venue's undamaged answers say */
  constructor(venue: string, good: SpotDecoded) {
    this.#venue = venue;
    this.#good = good;
    this.#perps = perpsOf(good.markets, good.tickers);
    this.#spot = new SpotTable(REGISTRY, this.#perps);
    this.#borrow = new BorrowTable(this.#samples.store, { now: () => asMs(this.#now) });
    this.#coins = new Set(good.borrow.map(({ ticker }) => ticker));
    this.#take(WITNESS, good, this.#later());
    this.#take(venue, good, this.#later());
    this.#before = this.#state(venue);
    this.#witness = this.#state(WITNESS);
  }

  /** Counts of markets that are offered and of coins with a rate, undamaged; both venues have them. */
  get held(): { readonly markets: number; readonly rates: number } {
    const counts = [this.#venue, WITNESS].map((venue) => ({
      markets: this.#rows(venue).length,
      rates: [...this.#coins].filter((coin) => this.#rate(coin, venue)?.ratePerHour !== undefined).length,
    }));
    return {
      markets: Math.min(...counts.map(({ markets }) => markets)),
      rates: Math.min(...counts.map(({ rates }) => rates)),
    };
  }

  /** Faults of the tables once a damaged answer was taken, and of what is left of it once the venue is whole again. */
  problemsOf(damaged: SpotDecoded, whole: SpotDecoded): string[] {
    this.#samples.take();
    this.#takeDamaged(damaged, whole, this.#later(SOON_MS));
    const problems = [...this.#unsoundRows(), ...this.#unsoundRates(), ...this.#unlisted(damaged, whole)];
    if (this.#state(WITNESS) !== this.#witness) problems.push('another venue has other values');
    this.#take(this.#venue, this.#good, this.#later());
    if (this.#state(this.#venue) !== this.#before) problems.push('undamaged answers do not bring all back');
    return problems;
  }

  #later(ms = MINUTE_MS): UnixMs {
    this.#now += ms;
    return asMs(this.#now);
  }

  #take(venue: string, { markets, tickers, borrow }: SpotDecoded, at: UnixMs): void {
    const own = markets.map((market) => ({ ...market, venue }));
    this.#spot.takeList(venue, { markets: own }, at);
    this.#spot.takeTickers(venue, { tickers }, at);
    this.#borrow.takeList(venue, LIST, { borrow, rejects: [] }, at);
  }

  /** Takes the kinds of rows that the undamaged answer has: what else the venue said stands as it was. */
  #takeDamaged(damaged: SpotDecoded, whole: SpotDecoded, at: UnixMs): void {
    if (whole.markets.length > 0) this.#spot.takeList(this.#venue, damaged, at);
    const { tickers } = whole.tickers.length > 0 ? damaged : this.#good;
    this.#spot.takeTickers(this.#venue, { tickers }, at);
    if (whole.borrow.length > 0) this.#borrow.takeList(this.#venue, LIST, this.#beside(damaged, whole), at);
  }

  /** A list that is damaged in one answer says of all coins of other answers what these say. */
  #beside(damaged: SpotDecoded, whole: SpotDecoded): SpotDecoded {
    if (damaged.borrow.length === 0) return damaged;
    const own = new Set([...whole.borrow, ...damaged.borrow].map(({ ticker }) => ticker));
    const rest = this.#good.borrow.filter(({ ticker }) => !own.has(ticker));
    return { ...damaged, borrow: [...damaged.borrow, ...rest] };
  }

  #rows(venue: string) {
    return [...this.#perps.ids()].flatMap((id) =>
      this.#spot
        .rowsOf(id, this.#perps)
        .filter(({ market }) => market.venue === venue)
        .map(({ market, ticker }) => ({ id, market, ticker })),
    );
  }

  #rate = (coin: string, venue = this.#venue) => this.#borrow.stateOf(venue, coin)?.row;

  #state(venue: string): string {
    const rates = [...this.#coins].map((coin) => [
      this.#rate(coin, venue),
      this.#borrow.listWord(venue, LIST, coin)?.isListed,
    ]);
    return JSON.stringify([this.#rows(venue), rates]);
  }

  #unsoundRows(): string[] {
    return this.#rows(this.#venue).flatMap(({ id, market, ticker }) => [
      ...unsoundTicker(ticker, this.#perps.indexOf(id) ?? Number.NaN),
      ...(isDollar(market.quote) ? [] : [`offered ${market.symbol}: in ${market.quote}`]),
      ...(market.symbol === ticker.symbol ? [] : [`${market.symbol} has values of ${ticker.symbol}`]),
    ]);
  }

  #unsoundRates(): string[] {
    const isRate = (rate: number | undefined): boolean =>
      isSound(rate, (number) => number >= 0 && number < DEAREST);
    const kept = this.#samples.take().filter((rate) => !isRate(rate));
    const told = [...this.#coins].flatMap((coin) => {
      const row = this.#rate(coin);
      if (row === undefined) return [];
      const { ratePerHour, refused, limit, limitUsd, available } = row;
      const faults = [
        isRate(ratePerHour) || `a rate of ${ratePerHour}`,
        refused === undefined || ratePerHour === undefined || 'a rate, though it is refused',
        [limit, limitUsd, available].every((value) => isSound(value, (number) => number >= 0)) || 'a limit',
      ];
      return faults.filter((fault) => fault !== true).map((fault) => `${coin}: ${fault}`);
    });
    return [...told, ...kept.map((rate) => `a sample of ${rate} was kept`)];
  }

  /** A coin whose row cannot be read is not said to be no longer lent. */
  #unlisted({ rejects }: SpotDecoded, whole: SpotDecoded): string[] {
    const faults = (list: SpotDecoded['rejects']) => list.filter(isFault).length;
    if (faults(rejects) <= faults(whole.rejects)) return [];
    return [...this.#coins]
      .filter((coin) => this.#borrow.listWord(this.#venue, LIST, coin)?.isListed === false)
      .map((coin) => `${coin} is said to be lent no more`);
  }
}
