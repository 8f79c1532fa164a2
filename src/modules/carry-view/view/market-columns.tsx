import type { SpotCurrentAnswer } from '../../../../packages/client/src/routes.ts';
import { ages } from '../../../../web/parts/columns.tsx';
import { Bps } from '../../../../web/parts/rate.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { Unknown } from '../../../../web/parts/unknown.tsx';
import { cost, count, price, rounded, UNKNOWN, usd } from '../../../../web/text/number.ts';
import { VenueOfSpot } from './venue-of-spot.tsx';

type Market = SpotCurrentAnswer['markets'][number];

type Numbered = {
  [Name in keyof Market]: number extends Market[Name] ? Name : never;
}[keyof Market];

const number = (
  id: Numbered,
  title: string,
  unit: string | undefined,
  show: (value: number | null) => string,
  about?: string,
): Column<Market> => ({
  id,
  title,
  numeric: true,
  ...(unit !== undefined && { unit }),
  ...(about !== undefined && { about }),
  value: (row) => row[id],
  show: (row) => show(row[id]),
});

/** A side of the touch; where a venue states none, it says so. */
const side = (id: Numbered, title: string, show: (value: number | null) => string): Column<Market> => ({
  ...number(id, title, undefined, show),
  show: (row) => (row[id] === null ? <Unknown why={row.touch_reason} /> : show(row[id])),
});

const SHORT_TEXT: ReadonlyMap<boolean | null, string> = new Map([
  [true, 'yes'],
  [false, 'no'],
]);

/** Spot markets of an asset. */
export const MARKET_COLUMNS: readonly Column<Market>[] = [
  {
    id: 'venue',
    title: 'Venue',
    value: ({ venue }) => venue,
    show: ({ venue, venue_symbol: symbol, relation }) => (
      <VenueOfSpot venue={venue} symbol={symbol} relation={relation} />
    ),
  },
  { id: 'quote', title: 'Quoted in', value: ({ quote }) => quote },
  side('best_bid', 'Bid', price),
  side('best_bid_size', 'Bid size', rounded),
  side('best_ask', 'Ask', price),
  side('best_ask_size', 'Ask size', rounded),
  side('spread_bps', 'Spread, bps', cost),
  number('mid_price', 'Middle', undefined, price),
  {
    ...number('index_difference_bps', 'To index', 'bps', cost, 'Less the median index of its perpetuals'),
    show: (row) => <Bps value={row.index_difference_bps} />,
  },
  number('volume_24h_usd', 'Volume 24 h', 'USD', usd),
  number('taker_fee_bps', 'Taker fee', 'bps', cost),
  number('min_notional_usd', 'Least order', 'USD', count),
  {
    id: 'can_short',
    title: 'Sold on margin',
    about: 'Whether the list says that the coin can be sold on margin',
    value: ({ can_short: can }) => SHORT_TEXT.get(can),
    show: ({ can_short: can }) => SHORT_TEXT.get(can) ?? UNKNOWN,
  },
  ages('received_at', 'Age'),
];
