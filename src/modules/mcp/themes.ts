import type { RouteTable } from '../../host/route-table.ts';
import type { ToolWords } from '../../host/tool-place.ts';

/** A tool in words, with what it is over. */
export interface Theme extends ToolWords {
  /** Ids of the products behind it; with several, the argument `product` chooses. */
  readonly products: readonly string[];
}

/** A scan in a conversation is read from its top. */
const SCAN_ROWS = { limit: 10 };

const RATE = 'rate: fraction per interval (0.0001 = 1 bp), positive = longs pay shorts.';

/** Every product of the core that is data, by theme: no more tools than a model can keep apart. */
const THEMES: readonly Theme[] = [
  {
    name: 'funding_rates',
    about: 'Funding rates now with interval, percent a year and next payment, of an asset or all.',
    products: ['funding-current', 'funding-spread-symbol'],
    units: RATE,
    use: 'for who pays now',
    not: 'the past (funding_history) or ranked trades (scan_arbitrage)',
  },
  {
    name: 'venue_contract',
    about: 'Figures of one contract.',
    products: ['perp-funding-next', 'perp-open-interest', 'perp-volume-24h'],
    units: '',
    use: 'for a single figure',
    not: 'several venues (market_snapshot)',
  },
  {
    name: 'spread_and_carry',
    about: 'Funding spread, carry or basis of one asset.',
    products: ['perp-funding-spread', 'perp-vw-spread', 'perp-carry', 'perp-basis'],
    units: 'Carry: percent a year before costs; borrowing: an hour.',
    use: 'for one asset',
    not: 'finding assets (scan_arbitrage)',
  },
  {
    name: 'market_snapshot',
    about: 'Mark, index, funding, open interest and volume of an asset by venue, and in total.',
    products: ['perp-snapshot'],
    units: 'Prices per unit of ticker; amounts in USD.',
    use: 'to compare venues or add them together',
    not: 'order books (order_book)',
  },
  {
    name: 'scan_arbitrage',
    about: 'Ranked pairs of venues over all assets, by funding or by price.',
    products: ['perp-arbitrage-funding', 'perp-arbitrage-funding-signal', 'perp-arbitrage-price'],
    presets: SCAN_ROWS,
    units: 'min_diff: fraction; spreads before costs unless net.',
    use: 'to find candidates',
    not: 'one known asset (spread_and_carry)',
    besides: 'An empty list is charged.',
  },
  {
    name: 'order_book',
    about: 'Quotes, depth and slippage of one book, or of all venues.',
    products: ['orderbook-top', 'orderbook-depth', 'orderbook-aggregate'],
    units: 'Prices per unit of ticker.',
    use: 'for liquidity of a venue',
    not: 'choosing among venues (execution)',
  },
  {
    name: 'execution',
    about: 'Orders up to 250k USD: best venue, all, or split.',
    products: [
      'orderbook-best-execution',
      'orderbook-multi-venue-slippage',
      'orderbook-multi-venue-execution',
    ],
    units: 'Costs in bps of mid at public fees.',
    use: 'before an order',
  },
  {
    name: 'funding_history',
    about: 'Funding by bucket, changes of sign, and the present against 7 to 90 days of payments.',
    products: [
      'funding-historical',
      'perp-funding-flips',
      'perp-funding-stats',
      'perp-spread-stats',
      'perp-funding-heatmap',
    ],
    units: '',
    use: 'to judge a rate',
    not: 'rates now (funding_rates); series (backtest_data)',
  },
  {
    name: 'interest_and_volume_history',
    about: 'Series of one contract, or unusual changes.',
    products: ['perp-oi-history', 'perp-volume-history', 'perp-oi-delta', 'perp-volume-anomalies'],
    presets: SCAN_ROWS,
    units: 'USD; volume: trailing 24 h, mean of the bucket.',
    use: 'to see crowding',
    not: 'now (venue_contract)',
  },
  {
    name: 'backtest_data',
    about: 'The series of one contract.',
    products: ['backtest-data'],
    units: 'ts starts a bucket; settled_funding_rate as paid.',
    use: 'once per window',
  },
  {
    name: 'coverage',
    about: 'Which index each venue follows, and where equities, commodities and fx are listed.',
    products: ['perp-oracle-families', 'rwa-perp-coverage'],
    units: '',
    use: 'to compare contracts',
  },
  {
    name: 'venues_and_health',
    about: 'What is collected.',
    products: ['venues-list', 'venues-health', 'assets', 'health'],
    units: '',
    use: 'to name venues and assets',
  },
  {
    name: 'free_preview',
    about: 'Delayed, or a part.',
    products: ['preview-funding-current', 'preview-funding-signal', 'free-matrix', 'free-pair'],
    units: '',
    use: 'before paying',
  },
];

/** The themes with products of modules: each in the theme that it names, or in one of its own, which is the last. */
export function themesWith(places: RouteTable['toolPlaces']): readonly Theme[] {
  const themes = new Map(THEMES.map((theme) => [theme.name, theme]));
  for (const [id, place] of places) {
    if ('units' in place) {
      themes.set(place.name, { ...place, products: [id] });
      continue;
    }
    const known = themes.get(place.name);
    if (known === undefined) throw new Error(`${id} is to join the tool ${place.name}, which is not there`);
    const products = place.leads === true ? [id, ...known.products] : [...known.products, id];
    themes.set(known.name, { ...known, about: place.about ?? known.about, products });
  }
  return [...themes.values()];
}
