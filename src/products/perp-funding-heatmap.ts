import Type, { type Static } from 'typebox';
import { iso } from '../domain/clock.ts';
import { type Failure, fail, ok } from '../domain/errors.ts';
import { toBps } from '../domain/rate.ts';
import type { SettledMean } from '../domain/series.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import { sinceListing } from '../history/since-listing.ts';
import type { MarketRow, MarketView } from '../market/view.ts';
import { groupBy } from '../runtime/group-by.ts';
import type { ProductAnswer } from './answer/product-answer.ts';
import {
  canonicalIdName,
  integer,
  nullable,
  number,
  oneOf,
  text,
  tickerName,
  timestamp,
} from './answer/schema.ts';
import { choosesAssets } from './choice/chooses.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/perp-funding-heatmap.json' with { type: 'json' };
import { answersAsOf } from './history/as-of.ts';
import { AGGREGATION_MS, type HistoryWindow, historyAsOf, statedEnd } from './history/buckets.ts';
import { fromStore, readerOf } from './history/stored.ts';
import { days, readWindow, windowParameters } from './history/window.ts';
import { assetTotals } from './rows/asset-totals.ts';
import { scanCoverage, scanTooNarrow } from './rows/enough-venues.ts';
import { assetRows, isShown, selectVenue } from './rows/select.ts';
import { knownSum } from './rows/weighted.ts';

const STEPS = ['1h', '1d'] as const;
type Step = (typeof STEPS)[number];
const CAP_DAYS: Readonly<Record<Step, number>> = { '1h': 7, '1d': 90 };
const DEFAULT_DAYS: Readonly<Record<Step, number>> = { '1h': 2, '1d': 30 };

const { from, to } = windowParameters('2 days ago at 1h, 30 at 1d');

const query = Type.Object({
  step: oneOf(STEPS, { description: 'Column width', default: '1d' }),
  from,
  to,
  venue: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Rates of this venue; without it the widest spread between two venues',
    }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: 50,
    default: 20,
    description: 'Assets with most open interest',
  }),
});

const venuesBy = (leg: string) =>
  Type.Optional(
    Type.Array(nullable(text('Venue')), { description: `Venue of the ${leg} leg by column; with spreads` }),
  );

const answer = Type.Object({
  of: oneOf(['rate', 'spread'], { description: 'What the values are' }),
  venue: nullable(text('Venue of the rates; null with spreads')),
  step: oneOf(STEPS, { description: 'Width of a column' }),
  columns: Type.Array(timestamp('Start of a column')),
  assets_count: integer('Rows'),
  assets: Type.Array(
    Type.Object({
      ticker: tickerName,
      canonical_id: canonicalIdName,
      open_interest_usd: nullable(
        number(
          'Now, US dollars, as in /v1/perp/snapshot: all contracts of the fresh comparable venues; with venue of its row',
        ),
      ),
      values_8h_bps: Type.Array(nullable(number('Basis points per eight hours')), {
        description: 'By column; null where no payment is known (spread: of fewer than two venues)',
      }),
      short_venues: venuesBy('short'),
      long_venues: venuesBy('long'),
    }),
  ),
  note: text('How the figures are made, and what they leave out'),
});

type FundingHeatmap = Static<typeof answer>;

export const perpFundingHeatmap = answersAsOf(
  defineProduct({
    id: 'perp-funding-heatmap',
    path: '/v1/perp/funding-heatmap',
    access: 'paid',
    summary: 'Settled funding by asset and day or hour',
    description:
      'Matrix of settled funding: assets by open interest against days (up to 90) or hours (up to 7 days), of one venue or the widest spread between two venues in each column with both of them named; basis points per eight hours, null where nothing was paid that is known.',
    tags: ['funding-rate', 'heatmap', 'history', 'perpetual-futures'],
    dependsOn: 'table-history',
    choice: choosesAssets,
    revisedAt: '2026-11-29T07:00:00.000Z',
    query,
    answer,
    example: {
      request: '/v1/perp/funding-heatmap?step=1d&from=2026-11-18T00:00:00Z&to=2026-11-21T00:00:00Z&limit=3',
      answer: example,
    },
    find: ({ venue: name, step, from, to }, { market, clock }) => {
      const venue = name === undefined ? undefined : selectVenue(market, name);
      if (venue?.ok === false) return venue;
      const rule = { capMs: days(CAP_DAYS[step]), defaultMs: days(DEFAULT_DAYS[step]) };
      const window = readWindow({ aggregation: step, from, to }, rule, clock.now());
      return window.ok ? ok({ window: window.value, venue: venue?.value.info.id }) : window;
    },
    compute: async ({ window, venue }, ports, { step, limit }) => {
      const { market } = ports;
      const rows = market.rows().filter((row) => (venue === undefined ? isShown(row) : row.venue === venue));
      const narrow =
        venue === undefined ? scanTooNarrow(scanCoverage(ports.market, isShown), 'row') : undefined;
      if (narrow !== undefined) return fail(narrow);
      const assets = largestAssets(market, rows, limit, venue === undefined);
      if (assets.length === 0)
        return fail({ code: 'no_data', detail: 'No asset is known of what was asked for' });
      const scope = {
        canonicalIds: assets.map(({ canonicalId }) => canonicalId),
        ...(venue !== undefined && { venues: [venue] }),
        from: window.from,
        to: window.to,
      };
      const means = fromStore(await readerOf(ports).settledMeans(scope, AGGREGATION_MS[step]));
      if (!means.ok) return means;
      const made = fundingHeatmap(assets, means.value, window, venue);
      return hasValue(made.body) ? ok(made) : fail(nothingSettled(window, venue));
    },
  }),
  'all',
);

const hasValue = ({ assets }: FundingHeatmap): boolean =>
  assets.some(({ values_8h_bps: values }) => values.some((value) => value !== null));

/** 404 of a matrix without a value. */
function nothingSettled(window: HistoryWindow, venue: string | undefined): Failure {
  const what =
    venue === undefined ? 'No settled funding of two venues of an asset' : `No settled funding on ${venue}`;
  return { code: 'no_data', detail: `${what} is known from ${iso(window.from)} to ${statedEnd(window)}` };
}

/** An asset with its rows and their open interest. */
interface AssetInterest {
  readonly canonicalId: string;
  readonly ticker: string;
  readonly rows: readonly MarketRow[];
  readonly interestUsd: number | undefined;
}

/** Assets by the open interest of their rows; over all venues each with the total that other answers state. */
function largestAssets(
  market: MarketView,
  rows: readonly MarketRow[],
  limit: number,
  isOverAll: boolean,
): readonly AssetInterest[] {
  const assets = [...groupBy(rows, ({ canonicalId }) => canonicalId)].map(([canonicalId, own]) => {
    const interestUsd = knownSum(own.map(({ openInterestUsd: usd }) => usd));
    return { canonicalId, ticker: own[0]?.ticker ?? '', rows: own, interestUsd };
  });
  const largest = assets.sort((a, b) => (b.interestUsd ?? -1) - (a.interestUsd ?? -1)).slice(0, limit);
  if (!isOverAll) return largest;
  return largest.map((asset) => {
    const { canonicalId, ticker, rows: shown } = asset;
    const { total_open_interest_usd: total } = assetTotals(assetRows(market, canonicalId, ticker), shown);
    return { ...asset, interestUsd: total ?? undefined };
  });
}

const NOTE =
  'Payments stand in the column in which they were made; a value is their mean weighted by the hours that they are for. A spread is the highest less the lowest value among the venues whose contract is fresh and comparable now; from before a rename of the asset it counts the contract of then. Naive baseline: before fees, slippage and price differences. Not a profit forecast.';

interface Cell {
  readonly high: SettledMean;
  readonly low: SettledMean;
}

/** The ends of a column; undefined of fewer than so many venues. */
function cellOf(means: readonly SettledMean[], least: number): Cell | undefined {
  const sorted = [...means].sort((a, b) => a.rate8h - b.rate8h);
  const low = sorted[0];
  const high = sorted.at(-1);
  return sorted.length < least || low === undefined || high === undefined ? undefined : { high, low };
}

const assetKey = ({ canonicalId, venue }: Pick<SettledMean, 'canonicalId' | 'venue'>): string =>
  `${canonicalId}\t${venue}`;

/** Values of a venue, or the widest spreads, by asset and column. */
export function fundingHeatmap(
  assets: readonly AssetInterest[],
  means: readonly SettledMean[],
  window: HistoryWindow,
  venue: string | undefined,
): ProductAnswer<FundingHeatmap> {
  const step: Step = window.aggregation === '1h' ? '1h' : '1d';
  const columns = columnsOf(window);
  // Under a former name of its asset a contract may have had another symbol.
  const ofAssets = groupBy(means, assetKey);
  const paid = assets.map(({ rows }) =>
    rows.flatMap((row) => sinceListing(ofAssets.get(assetKey(row)) ?? [], row)),
  );
  const rows = assets.map((asset, at) => {
    const byStart = groupBy(paid[at] ?? [], ({ start }) => String(start));
    const least = venue === undefined ? 2 : 1;
    const cells = columns.map((start) => cellOf(byStart.get(String(start)) ?? [], least));
    return assetRow(asset, cells, venue === undefined);
  });
  const used = new Set(paid.flat().map((mean) => mean.venue));
  const known = new Set(assets.flatMap((asset) => asset.rows.map((row) => row.venue)));
  return {
    body: {
      of: venue === undefined ? 'spread' : 'rate',
      venue: venue ?? null,
      step,
      columns: columns.map(iso),
      assets_count: rows.length,
      assets: rows,
      note: NOTE,
    },
    asOf: historyAsOf(paid.flat()),
    sources: { used: [...used], missing: [...known].filter((id) => !used.has(id)) },
  };
}

function columnsOf({ aggregation, from, to }: HistoryWindow): readonly UnixMs[] {
  const columns: UnixMs[] = [];
  for (let start = from; start < to; start = asMs(start + AGGREGATION_MS[aggregation])) columns.push(start);
  return columns;
}

function assetRow(
  { canonicalId, ticker, interestUsd }: AssetInterest,
  cells: readonly (Cell | undefined)[],
  isSpread: boolean,
): FundingHeatmap['assets'][number] {
  return {
    ticker,
    canonical_id: canonicalId,
    open_interest_usd: interestUsd ?? null,
    values_8h_bps: cells.map((cell) =>
      cell === undefined ? null : toBps(cell.high.rate8h - (isSpread ? cell.low.rate8h : 0)),
    ),
    ...(isSpread && {
      short_venues: cells.map((cell) => cell?.high.venue ?? null),
      long_venues: cells.map((cell) => cell?.low.venue ?? null),
    }),
  };
}
