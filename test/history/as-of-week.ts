import { asBase, asHours, asMs, asPrice, asRate, asUsd, type UnixMs } from '../../src/domain/units.ts';
import type { Batch } from '../../src/history/batch.ts';
import { contractFees, FeeWatch } from '../../src/history/fee-watch.ts';
import type { Sample, Settlement } from '../../src/history/sample.ts';
import { Sampler } from '../../src/history/sampler.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import type { MarketRow } from '../../src/market/view.ts';
import type { Correction } from '../../src/modules/corrections/correction.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { EXAMPLE_VENUES, exampleRow } from '../api/example-market.ts';
import { createFakeMarket, type FakeMarket } from '../api/fake-market.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { correctedRig } from './corrected-rig.ts';
import { valueIn } from './load.ts';

export const START = asMs(Date.UTC(2026, 9, 5));
export const DAYS = 7;
const LISTED = asMs(START - 100 * DAY_MS);
export const at = (day: number, hour = 0, more = 0): UnixMs =>
  asMs(START + day * DAY_MS + hour * HOUR_MS + more);

/** When everything is asked: some seconds after a sample, which was taken after a roll-up. */
export const MOMENTS = [at(2, 5), at(3, 1), at(5, 6), at(6, 22)].map((time) => asMs(time + 2 * MINUTE_MS));
export const ASKED_AFTER_MS = 20_000;

export const CONTRACTS = [
  exampleRow({
    venue: 'binance',
    ticker: 'BTC',
    rate: 0.0001,
    hours: 8,
    mark: 100_000,
    oi: 500,
    volume: 1e9,
  }),
  exampleRow({ venue: 'okx', ticker: 'BTC', rate: 0.0002, hours: 8, mark: 100_010, oi: 300, volume: 6e8 }),
  exampleRow({ venue: 'bybit', ticker: 'BTC', rate: 0.0003, hours: 4, mark: 99_990, oi: 200, volume: 4e8 }),
  exampleRow({ venue: 'binance', ticker: 'ETH', rate: -0.0001, hours: 8, mark: 4000, oi: 9000, volume: 5e8 }),
  exampleRow({
    venue: 'okx',
    ticker: 'ETH',
    rate: 0.0001,
    hours: 8,
    mark: 4001,
    oi: 7000,
    volume: 3e8,
    reason: 'price_dispersion',
  }),
];

/** Between -1 and 1, another one for each contract and moment. */
const swing = (row: MarketRow, time: number): number =>
  Math.sin(time / 7.3e6 + row.sourceId * 3 + row.ticker.length + (row.markPrice ?? 0));

/** A contract's row at a time; its volume leaps on the last day. */
function rowAt(row: MarketRow, time: number): MarketRow {
  const x = swing(row, time);
  const updatedAt = asMs(time - 400 - 900 * Math.abs(x));
  const mark = asPrice(Math.round((row.markPrice ?? 0) * (1 + 0.01 * x) * 100) / 100);
  const interest = asBase(Math.round((row.openInterestBase ?? 0) * (1 + 0.1 * x)));
  const volume = asUsd(Math.round((row.volume24hUsd ?? 0) * (1 + 0.05 * x) * (time > at(6, 12) ? 3 : 1)));
  const rate = asRate(Math.round(((row.fundingRate ?? 0) + 0.0002 * x) * 1e8) / 1e8);
  return {
    ...row,
    updatedAt,
    markPrice: mark,
    volume24hUsd: volume,
    volumeUpdatedAt: updatedAt,
    openInterestRaw: interest,
    openInterestBase: interest,
    openInterestUsd: asUsd(interest * mark),
    openInterestUpdatedAt: asMs(updatedAt - 17_000),
    fundingRate: rate,
    rate8h: undefined,
    fundingUpdatedAt: asMs(updatedAt - 3),
  };
}

/** The venues of these rows, and one that is down: of a live venue something is sampled. */
const VENUES = EXAMPLE_VENUES.filter(
  ({ info, status }) => status === 'down' || CONTRACTS.some(({ venue }) => venue === info.id),
);

const eightHours = (row: MarketRow): MarketRow => {
  const { fundingRate = asRate(0), fundingIntervalHours = asHours(8) } = row;
  return { ...row, rate8h: ((fundingRate * 8) / fundingIntervalHours) as NonNullable<MarketRow['rate8h']> };
};

const contractOf = ({ canonicalId, ticker, venue, symbol }: MarketRow) => ({
  canonicalId,
  ticker,
  venue,
  symbol,
  listedAt: LISTED,
});

/** A payment, and when it was reported: of one venue a day late. On day four a rate of day two is restated. */
export function payments(): readonly { value: Settlement; recordedAt: UnixMs }[] {
  return CONTRACTS.flatMap((row) => {
    const step = (row.fundingIntervalHours ?? 8) * HOUR_MS;
    const reported: { value: Settlement; recordedAt: UnixMs }[] = [];
    for (let time = at(-30); time < at(DAYS); time = asMs(time + step)) {
      const rate = asRate(Math.round(((row.fundingRate ?? 0) + 0.0002 * swing(row, time)) * 1e8) / 1e8);
      const value: Settlement = {
        ...contractOf(row),
        at: time,
        origin: 'settled',
        rate,
        intervalHours: row.fundingIntervalHours,
        markPrice: row.markPrice,
      };
      const late =
        time < at(0) ? at(0, 1) : row.venue === 'bybit' && time > at(2) ? time + DAY_MS : time + 5000;
      reported.push({ value, recordedAt: asMs(late) });
      if (row.venue === 'okx' && time === at(2)) {
        reported.push({ value: { ...value, rate: asRate(rate + 0.01) }, recordedAt: at(4, 3) });
      }
    }
    return reported;
  });
}

/** A venue's past as reported on day three: hours that were not sampled, and one that was. */
export const BACKFILLED: readonly Sample[] = [at(0, 3), at(0, 4), at(1, 10)].map((time) => ({
  ...contractOf(CONTRACTS[0] as MarketRow),
  at: time,
  origin: 'backfilled',
  comparable: true,
  markPrice: asPrice(98_000),
  openInterestBase: asBase(444),
  volume24hUsd: asUsd(9e8),
}));
export const BACKFILLED_AT = at(3, 0, 30 * MINUTE_MS);

/** Noted on day five: one venue's open interest counted both sides until day two, another one's volume was of no unit. */
export const CORRECTIONS: readonly Correction[] = [
  {
    id: 'sides',
    revision: 1,
    venue: 'binance',
    metric: 'open_interest',
    factor: 0.5,
    reason: 'both sides',
    from: asMs(0),
    before: at(2),
    knownAt: at(5, 2),
  },
  {
    id: 'unit',
    revision: 1,
    venue: 'okx',
    metric: 'volume_24h',
    factor: undefined,
    reason: 'no unit',
    from: asMs(0),
    before: at(1, 12),
    knownAt: at(5, 2),
  },
];

/** A service of one store through a week. */
export class Week {
  readonly time = new ManualTime(START);
  readonly market: FakeMarket = createFakeMarket(VENUES, CONTRACTS);
  readonly store: HistoryStore;
  readonly rig;
  readonly #sampler: Sampler;
  readonly #fees: FeeWatch;
  readonly #waiting: Batch[] = [];

  constructor(store: HistoryStore) {
    this.store = store;
    this.rig = correctedRig(store, this.time);
    const offer = (batch: Batch): boolean => this.#waiting.push(batch) > 0;
    this.#fees = new FeeWatch(offer);
    this.#sampler = new Sampler({
      rows: () => this.market.eachRow(),
      offer,
      clock: this.time.clock,
      timer: this.time.timer,
      contractAt: (venue, symbol) => ({ canonicalId: '', ticker: '', venue, symbol, listedAt: LISTED }),
    });
  }

  async to(moment: UnixMs): Promise<void> {
    await this.time.advance(moment - this.time.now);
  }

  /** A sample of all rows as they are; fees change on day three. */
  async sample(minute: UnixMs): Promise<void> {
    await this.to(minute);
    const takerFeeBps = (minute < at(3) ? 5 : 4) as NonNullable<MarketRow['takerFeeBps']>;
    this.market.replace(CONTRACTS.map((row) => ({ ...eightHours(rowAt(row, minute)), takerFeeBps })));
    await this.#sampler.sample(minute);
    this.#fees.observe(contractFees(this.market), minute);
  }

  /** Writes what waits, and rolls up what is over. */
  async settle(): Promise<void> {
    const tables = new Map<string, Batch>();
    for (const batch of this.#waiting.splice(0)) {
      const held = tables.get(batch.table);
      tables.set(
        batch.table,
        held === undefined ? batch : { ...batch, lines: [...held.lines, ...batch.lines] },
      );
    }
    for (const batch of tables.values()) valueIn(await this.store.insert(batch));
    await this.rig.rollUps.work();
  }
}
