import type { MarketRow, MarketView } from '../../market/view.ts';
import { KINDS, type Kind } from './kinds.ts';
import { RESOLUTIONS, resolutionsOf } from './resolutions.ts';

/** A contract that is charted, and the thing that is charted of it. */
export interface Charted {
  readonly row: MarketRow;
  readonly kind: Kind;
}

const MOST_FOUND = 100;
const FOUND = 30;
/** Digits of a price that a scale shows. */
const DIGITS = 6;
const LEAST_DECIMALS = 2;
const MOST_DECIMALS = 12;

const exchangeOf = ({ venue }: MarketRow): string => venue.toUpperCase();
const shortName = ({ row, kind }: Charted): string => `${row.symbol}${kind.suffix}`;
const fullName = (charted: Charted): string => `${exchangeOf(charted.row)}:${shortName(charted)}`;
const wordsOf = ({ row, kind }: Charted): string => `${row.ticker} on ${row.venue}: ${kind.words}`;

/** Reads a name in any case: `BINANCE:BTCUSDT.FUNDING`; without a venue it is of the venue that trades the contract most. */
export function chartedOf(market: MarketView, name: string): Charted | undefined {
  const asked = name.toUpperCase();
  const rows = mostTraded(market);
  for (const kind of KINDS) {
    if (!asked.endsWith(kind.suffix)) continue;
    const contract = asked.slice(0, asked.length - kind.suffix.length);
    const row = rows.find((each) => {
      const symbol = each.symbol.toUpperCase();
      return symbol === contract || `${exchangeOf(each)}:${symbol}` === contract;
    });
    if (row !== undefined) return { row, kind };
  }
  return undefined;
}

const mostTraded = (market: MarketView): readonly MarketRow[] =>
  [...market.rows()].sort((left, right) => (right.volume24hUsd ?? 0) - (left.volume24hUsd ?? 0));

/** The answer of `/config`. */
export function configOf(market: MarketView, types: readonly string[]) {
  const exchanges = market.venues().map(({ info }) => ({
    value: info.id.toUpperCase(),
    name: info.displayName,
    desc: info.displayName,
  }));
  return {
    supported_resolutions: RESOLUTIONS,
    supports_group_request: false,
    supports_marks: false,
    supports_search: true,
    supports_timescale_marks: false,
    supports_time: true,
    exchanges: [{ value: '', name: 'All venues', desc: '' }, ...exchanges],
    symbols_types: [
      { name: 'All', value: '' },
      ...types.map((type) => ({ name: type.replace('_', ' '), value: type })),
    ],
  };
}

/** Steps of the price scale in one unit. */
function scaleOf({ row: { markPrice }, kind }: Charted): number {
  if (kind.scale !== undefined) return kind.scale;
  const before = markPrice === undefined || markPrice <= 0 ? 1 : Math.floor(Math.log10(markPrice)) + 1;
  return 10 ** Math.min(MOST_DECIMALS, Math.max(LEAST_DECIMALS, DIGITS - before));
}

/** The answer of `/symbols`. */
export function symbolInfo(charted: Charted) {
  const { row, kind } = charted;
  const intraday = resolutionsOf(kind).filter((name) => name !== '1D');
  return {
    name: shortName(charted),
    full_name: fullName(charted),
    ticker: fullName(charted),
    description: wordsOf(charted),
    type: kind.type,
    exchange: exchangeOf(row),
    listed_exchange: exchangeOf(row),
    session: '24x7',
    timezone: 'Etc/UTC',
    minmov: 1,
    pricescale: scaleOf(charted),
    format: kind.scale === 1 ? 'volume' : 'price',
    has_intraday: true,
    intraday_multipliers: intraday,
    has_daily: true,
    has_weekly_and_monthly: false,
    supported_resolutions: resolutionsOf(kind),
    visible_plots_set: kind.isCandles ? 'ohlc' : 'c',
    data_status: 'streaming',
  };
}

/** The answer of `/search`: the contracts in whose name, ticker or asset a text stands, the asset of that name and the most traded first. */
export function searchSymbols(market: MarketView, asked: URLSearchParams) {
  const text = (asked.get('query') ?? '').toUpperCase();
  const exchange = (asked.get('exchange') ?? '').toUpperCase();
  const type = asked.get('type') ?? '';
  const isNamed = ({ ticker }: MarketRow): number => (ticker === text ? 1 : 0);
  const rows = mostTraded(market)
    .filter((row) => exchange === '' || exchangeOf(row) === exchange)
    .sort((left, right) => isNamed(right) - isNamed(left));
  const found = KINDS.filter((kind) => type === '' || kind.type === type).flatMap((kind) =>
    rows.map((row): Charted => ({ row, kind })).filter((charted) => isFound(charted, text)),
  );
  const limit = Math.min(MOST_FOUND, Number(asked.get('limit')) || FOUND);
  return found.slice(0, Math.max(1, limit)).map((charted) => ({
    symbol: shortName(charted),
    full_name: fullName(charted),
    ticker: fullName(charted),
    description: wordsOf(charted),
    exchange: exchangeOf(charted.row),
    type: charted.kind.type,
  }));
}

const isFound = (charted: Charted, text: string): boolean =>
  fullName(charted).toUpperCase().includes(text) || charted.row.canonicalId.toUpperCase().includes(text);
