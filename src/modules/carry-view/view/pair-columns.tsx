import type { ComponentChildren } from 'preact';
import type {
  PerpArbitrageCashCarryAnswer,
  PerpCashCarryAnswer,
} from '../../../../packages/client/src/routes.ts';
import { Bps, sideOf } from '../../../../web/parts/rate.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { Unknown } from '../../../../web/parts/unknown.tsx';
import { hasView, linkTo, type Patch } from '../../../../web/place.ts';
import { bps, cost, percentOf, rounded } from '../../../../web/text/number.ts';
import { spotLeg } from './named-legs.ts';
import { VenueOfSpot } from './venue-of-spot.tsx';

export type ScannedPair = PerpArbitrageCashCarryAnswer['opportunities'][number];
export type AssetPair = PerpCashCarryAnswer['pairs'][number];
/** A pair of a spot market and a perpetual, of one asset or of a scan. */
export type CarryPair = Pick<AssetPair, keyof AssetPair & keyof ScannedPair>;

/** Fields of a row that are numbers, or null with a reason. */
type Numbered<Row> = {
  [Name in keyof Required<Row>]: number extends Row[Name] ? Name : never;
}[keyof Row] &
  string;

interface Reasoned {
  readonly null_reasons?: Readonly<Record<string, string>>;
}

type Show = (value: number | null) => ComponentChildren;

/** A column of a number; null with the service's reason. */
export const known = <Row extends Reasoned>(
  id: Numbered<Row>,
  title: string,
  unit: string | undefined,
  show: Show,
  more: Pick<Column<Row>, 'about' | 'isVoid'> = {},
): Column<Row> => {
  const read = (row: Row): number | null => (row[id] as number | null | undefined) ?? null;
  return {
    id,
    title,
    numeric: true,
    ...more,
    ...(unit !== undefined && { unit }),
    value: read,
    show: (row) => {
      if (more.isVoid?.(row)) return '';
      const value = read(row);
      return value === null ? <Unknown why={row.null_reasons?.[id]} /> : show(value);
    },
  };
};

const signed =
  (write: (value: number | null) => string): Show =>
  (value) => <span class={sideOf(value)}>{write(value)}</span>;

/** A trade in words: the leg that is bought comes first. */
export const DIRECTION_TEXT = {
  both: 'both ways',
  long_spot: 'buy spot, short perp',
  short_spot: 'short spot, buy perp',
} as const;

const isLong = ({ direction }: CarryPair): boolean => direction === 'long_spot';

/** The distance from the index, marked where it is so large that a price is in doubt. */
function apartText({ index_difference_bps: apart, price_warning: isDoubtful }: CarryPair): ComponentChildren {
  if (!isDoubtful) return bps(apart);
  return (
    <span class="stale" title="More than 1 % from the index: a price may be old, or of another asset">
      {bps(apart)} !
    </span>
  );
}

const GAP: Column<CarryPair> = {
  id: 'entry_gap_bps',
  title: 'Entry gap',
  unit: 'bps',
  numeric: true,
  about: 'Price of the leg that is sold over that of the one that is bought, as both can be entered now',
  value: ({ gap }) => gap.executable_bps,
  show: ({ gap }) =>
    gap.executable_bps === null ? (
      <Unknown why={gap.null_reasons?.executable_bps} />
    ) : (
      <Bps value={gap.executable_bps} />
    ),
};

/** The trade of a pair. */
export const LEG_COLUMNS: readonly Column<CarryPair>[] = [
  {
    id: 'direction',
    title: 'Trade',
    value: ({ direction }) => direction,
    show: ({ direction }) => DIRECTION_TEXT[direction],
  },
  {
    id: 'spot_venue',
    title: 'Spot on',
    value: ({ spot_venue: venue }) => venue,
    show: ({ spot_venue: venue, spot_symbol: symbol, spot_quote: quote, relation }) => (
      <VenueOfSpot venue={venue} symbol={symbol} relation={relation} quote={quote} />
    ),
  },
  {
    id: 'perp_venue',
    title: 'Perpetual on',
    value: ({ perp_venue: venue }) => venue,
    show: ({ perp_venue: venue, perp_symbol: symbol, perp_quote: quote }) => (
      <span title={symbol}>
        {venue} <small>{quote}</small>
      </span>
    ),
  },
];

/** The figures of a pair. @param holdDays over which its costs are spread */
export const figureColumns = (holdDays: number): readonly Column<CarryPair>[] => [
  known('all_in_net_apr_pct', `Net, ${rounded(holdDays)} d`, '% a year', signed(percentOf), {
    about: 'Income less all costs of entry and exit, spread over the days of holding',
  }),
  known('days_to_breakeven', 'Even after', 'd', rounded, {
    about: 'Days in which the income of now pays all costs',
  }),
  GAP,
  known('funding_8h_bps', 'Funding', 'bps / 8 h', signed(bps), {
    about: 'Received by the pair at the rate of now',
  }),
  known('borrow_8h_bps', 'Borrow', 'bps / 8 h', cost, {
    about: 'Cost of the borrowed coin at the rate of now',
    isVoid: isLong,
  }),
  known('round_trip_fee_bps', 'Fees', 'bps', cost, { about: 'Taker fees of both legs, in and out' }),
  known('entry_slippage_bps', 'Slippage', 'bps', cost, {
    about: 'Of entering both legs, against their middles',
  }),
  known('all_in_cost_bps', 'All costs', 'bps', cost, {
    about: 'Fees, slippage in and out, and the gap where it is likely to be lost',
  }),
  {
    id: 'index_difference_bps',
    title: 'Spot to index',
    unit: 'bps',
    numeric: true,
    about: "Spot price less the perpetual's index",
    value: (pair) => pair.index_difference_bps,
    show: apartText,
  },
];

/** The legs of a pair as the view of a pair names them. */
export const legsOf = ({
  direction,
  spot_venue: spot,
  perp_venue: perp,
}: CarryPair): { readonly short: string; readonly long: string } =>
  direction === 'long_spot' ? { short: perp, long: spotLeg(spot) } : { short: spotLeg(spot), long: perp };

/** Leads to the pair. @param asset parameters that name it, and terms that hold there, too */
export const pairColumn = <Row extends CarryPair>(
  asset: (row: Row) => Patch,
  tickerOf: (row: Row) => string,
): readonly Column<Row>[] =>
  hasView('pair')
    ? [
        {
          id: 'pair',
          title: 'Pair',
          isControl: true,
          value: () => null,
          show: (row) => (
            <a href={linkTo('pair', { ...asset(row), ...legsOf(row), spot_quote: row.spot_quote })}>
              Open
              <span class="unseen">
                {' '}
                {tickerOf(row)}: {DIRECTION_TEXT[row.direction]}, {row.spot_venue} and {row.perp_venue}
              </span>
            </a>
          ),
        },
      ]
    : [];
