import type { JSX } from 'preact';
import type { PerpCashCarryAnswer } from '../../../../packages/client/src/routes.ts';
import { type Figure, Figures, withUnit } from '../../../../web/parts/figures.tsx';
import { Listing } from '../../../../web/parts/listing.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { Age } from '../../../../web/parts/states.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { Unknown } from '../../../../web/parts/unknown.tsx';
import { cost, count, percent, price, rounded, usd } from '../../../../web/text/number.ts';
import type { AssetPair } from './pair-columns.tsx';

type Spot = PerpCashCarryAnswer['spot_markets'][number];
type Perp = PerpCashCarryAnswer['perps'][number];

/** A leg as the table has it. */
interface LegRow
  extends Pick<Spot, 'venue' | 'venue_symbol' | 'quote' | 'best_bid' | 'best_ask' | 'visible_usd'> {
  readonly kind: 'spot' | 'perpetual';
  readonly side: 'buy' | 'sell';
  readonly price: number | null;
  readonly takerFeeBps: number | null;
  readonly slippageBps: number | null;
  readonly bookAt: string | null;
  readonly why: Readonly<Record<string, string>>;
  readonly slippageWhy: string | undefined;
}

function spotRow(leg: Spot, pair: AssetPair): LegRow {
  return {
    ...leg,
    kind: 'spot',
    side: pair.direction === 'long_spot' ? 'buy' : 'sell',
    takerFeeBps: leg.taker_fee_bps,
    slippageBps: pair.spot_slippage_bps,
    bookAt: leg.book_updated_at,
    why: leg.null_reasons ?? {},
    slippageWhy: pair.null_reasons?.spot_slippage_bps,
  };
}

function perpRow(leg: Perp, pair: AssetPair): LegRow {
  return {
    ...leg,
    kind: 'perpetual',
    side: pair.direction === 'long_spot' ? 'sell' : 'buy',
    price: leg.mark_price,
    takerFeeBps: leg.taker_fee_bps,
    slippageBps: pair.perp_slippage_bps,
    bookAt: leg.book_updated_at,
    why: leg.null_reasons ?? {},
    slippageWhy: pair.null_reasons?.perp_slippage_bps,
  };
}

const side = (
  id: 'best_bid' | 'best_ask' | 'visible_usd',
  title: string,
  show: (value: number) => string,
): Column<LegRow> => ({
  id,
  title,
  numeric: true,
  value: (row) => row[id],
  show: (row) => (row[id] === null ? <Unknown why={row.why[id]} /> : show(row[id])),
});

const COLUMNS: readonly Column<LegRow>[] = [
  {
    id: 'leg',
    title: 'Leg',
    value: ({ kind }) => kind,
    show: ({ kind, side: way }) => `${way} ${kind}`,
  },
  {
    id: 'venue',
    title: 'Venue',
    value: ({ venue }) => venue,
    show: ({ venue, venue_symbol: symbol }) => (
      <>
        {venue} <small>{symbol}</small>
      </>
    ),
  },
  { id: 'quote', title: 'Quoted in', value: ({ quote }) => quote },
  {
    id: 'price',
    title: 'Price',
    numeric: true,
    about: 'Of spot the middle, of the perpetual the mark',
    value: (row) => row.price,
    show: (row) => price(row.price),
  },
  side('best_bid', 'Bid', price),
  side('best_ask', 'Ask', price),
  side('visible_usd', 'Depth within 100 bps, USD', usd),
  {
    id: 'slippage_bps',
    title: 'Slippage',
    unit: 'bps',
    numeric: true,
    about: 'Of entering this leg, against its middle',
    value: (row) => row.slippageBps,
    show: (row) => (row.slippageBps === null ? <Unknown why={row.slippageWhy} /> : cost(row.slippageBps)),
  },
  {
    id: 'taker_fee_bps',
    title: 'Taker fee',
    unit: 'bps',
    numeric: true,
    value: (row) => row.takerFeeBps,
    show: (row) =>
      row.takerFeeBps === null ? <Unknown why={row.why.taker_fee_bps} /> : cost(row.takerFeeBps),
  },
  {
    id: 'book_age',
    title: 'Book, age',
    numeric: true,
    value: ({ bookAt }) => (bookAt === null ? null : -Date.parse(bookAt)),
    csv: ({ bookAt }) => bookAt,
    show: ({ bookAt, why }) =>
      bookAt === null ? <Unknown why={why.book_updated_at} /> : <Age at={bookAt} />,
  },
];

/** Settled payments per eight hours as the perpetual's shorts received them, whichever leg of the pair it is. */
function paidFigures({ settled_means: means, settled_hours: hours }: Perp): readonly Figure[] {
  const spans = [
    ['1 d', means.rate_8h_1d, hours.d1, 24],
    ['7 d', means.rate_8h_7d, hours.d7, 168],
    ['30 d', means.rate_8h_30d, hours.d30, 720],
  ] as const;
  return spans.map(([span, rate, known, of]) => [
    `Paid to shorts in ${span}`,
    withUnit(percent(rate), '% per 8 h'),
    {
      about: known === null ? 'No history is kept' : `Stored payments are for ${known} of ${of} hours`,
    },
  ]);
}

/** The borrowed coin, where it is sold. */
function borrowFigures(leg: Spot, { borrow_limit_usd: limit }: AssetPair): readonly Figure[] {
  const { borrow_apr_pct: apr, borrow_reason: reason, borrow_received_at: at } = leg;
  return [
    [
      `Borrow on ${leg.venue}`,
      apr === null ? (
        <small>
          <Unknown why={reason} />
        </small>
      ) : (
        withUnit(rounded(apr), '% a year')
      ),
    ],
    [
      'Can be borrowed',
      limit == null ? <Unknown why="not stated" /> : usd(limit),
      { about: 'A larger size is not priced' },
    ],
    ['Stated', <Age key="age" at={at} />],
  ];
}

interface CarryLegRowsProps {
  readonly carry: PerpCashCarryAnswer;
  readonly pair: AssetPair;
}

/** Both legs of a pair. */
export function CarryLegRows({ carry, pair }: CarryLegRowsProps): JSX.Element | null {
  const spot = carry.spot_markets.find(
    ({ venue, venue_symbol: symbol }) => venue === pair.spot_venue && symbol === pair.spot_symbol,
  );
  const perp = carry.perps.find(({ venue }) => venue === pair.perp_venue);
  if (spot === undefined || perp === undefined) return null;
  const figures: readonly Figure[] = [
    ...paidFigures(perp),
    ['Interval', withUnit(count(perp.funding_interval_hours), 'h')],
    ['Open interest', usd(perp.open_interest_usd)],
    ['Spot volume 24 h', usd(spot.volume_24h_usd)],
    ...(pair.direction === 'short_spot' ? borrowFigures(spot, pair) : []),
  ];
  return (
    <Part title="Both legs">
      <Listing
        name={`${carry.ticker}-carry-legs`}
        id="carry_legs"
        caption={`Legs of the pair of ${carry.ticker}`}
        columns={COLUMNS}
        rows={[spotRow(spot, pair), perpRow(perp, pair)]}
        keyOf={({ kind }) => kind}
      />
      <Figures figures={figures} label="Funding that was paid, and amounts" />
    </Part>
  );
}
