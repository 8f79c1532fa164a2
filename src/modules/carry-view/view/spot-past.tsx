import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { SpotHistoryAnswer } from '../../../../packages/client/src/routes.ts';
import { useAnswer } from '../../../../web/data/answers.ts';
import type { Series } from '../../../../web/data/series.ts';
import { Chart } from '../../../../web/parts/chart.tsx';
import { Listing } from '../../../../web/parts/listing.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { Bps } from '../../../../web/parts/rate.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { linkTo, usePlace } from '../../../../web/place.ts';
import { bps, count, price, rounded } from '../../../../web/text/number.ts';
import { serverNow } from '../../../../web/text/time.ts';
import { backtestForm, pastPath } from './carry-calls.ts';
import { borrowLine, gapLine, priceLine } from './gap-series.ts';
import type { AssetPair } from './pair-columns.tsx';
import { SpotShown } from './spot-shown.tsx';

const EVERY_MS = 60_000;

type Usual = SpotHistoryAnswer['usual_gap'][number];

const gap = (id: 'mean_bps' | 'lowest_bps' | 'highest_bps', title: string): Column<Usual> => ({
  id,
  title,
  unit: 'bps',
  numeric: true,
  value: (row) => row[id],
  show: (row) => <Bps value={row[id]} />,
});

const USUAL: readonly Column<Usual>[] = [
  { id: 'days', title: 'Past', value: ({ days }) => days, show: ({ days }) => `${days} d` },
  {
    id: 'hours',
    title: 'Hours with a gap',
    numeric: true,
    about: 'Where less than half of the hours are known, there is no usual gap',
    value: ({ hours }) => hours,
    show: ({ days, hours }) => `${count(hours)} of ${count(days * 24)}`,
  },
  gap('mean_bps', 'Mean'),
  gap('lowest_bps', 'Lowest'),
  gap('highest_bps', 'Highest'),
];

interface SpotPastProps {
  readonly ticker: string;
  readonly query: string;
  readonly pair: AssetPair;
  /** Of a leg, USD. */
  readonly size: string;
}

/** The past of the pair: gap, price of spot, and borrow rate of thirty days. */
export function SpotPast({ ticker, query, pair, size }: SpotPastProps): JSX.Element {
  const market = { spot: pair.spot_venue, perp: pair.perp_venue, quote: pair.spot_quote };
  const path = pastPath(query, market, serverNow());
  return (
    <Part title="The past">
      <SpotShown
        answer={useAnswer<SpotHistoryAnswer>(path, EVERY_MS)}
        what={`the past of ${ticker} on ${pair.spot_venue}`}
      >
        {(past) => <Past past={past} pair={pair} size={size} path={path} />}
      </SpotShown>
    </Part>
  );
}

/** Leads to the purchase of a back-test of the last thirty days, on the terms of the address. */
function BacktestLink({ ticker, pair, size }: Omit<SpotPastProps, 'query'>): JSX.Element {
  const { params } = usePlace();
  return (
    <a href={linkTo('buy', backtestForm(ticker, pair, size, params, serverNow()))}>Back-test it by rule</a>
  );
}

interface PastProps {
  readonly past: SpotHistoryAnswer;
  readonly pair: AssetPair;
  readonly size: string;
  readonly path: string;
}

function Past({ past, pair, size, path }: PastProps): JSX.Element {
  const name = nameOf(past);
  const candles = past.hours.filter(({ origin }) => origin === 'candle').length;
  return (
    <>
      <p class="fine">
        {count(past.hours_known)} hours are known
        {candles > 0 && `, ${count(candles)} of them from candles of the venue`}, {count(past.hours_missing)}{' '}
        are missing
        {past.hours_apart > 0 &&
          `, ${count(past.hours_apart)} have no gap, since spot stood more than 3 % from the index of the perpetual`}
        . <BacktestLink ticker={past.ticker} pair={pair} size={size} />
      </p>
      <Listing
        name={`${name}-usual-gap`}
        id="usual_gap"
        caption="Perpetual above spot, in the past"
        columns={USUAL}
        rows={past.usual_gap}
        keyOf={({ days }) => String(days)}
        paths={[path]}
      />
      <Charts past={past} />
      <p class="fine">{past.note}</p>
    </>
  );
}

const nameOf = ({ ticker, venue, perp_venue: perp }: SpotHistoryAnswer): string =>
  `${ticker}-${venue}-${perp}`;

const shown = (line: Series): readonly Series[] => (line.times.length === 0 ? [] : [line]);

/** Gap, price and borrow rate hour by hour, with one cursor. */
function Charts({ past }: { past: SpotHistoryAnswer }): JSX.Element {
  const [gaps, prices, borrow] = useMemo(
    () => [gapLine(past), priceLine(past), borrowLine(past)] as const,
    [past],
  );
  const name = nameOf(past);
  return (
    <>
      <Chart
        title="Gap"
        unit={`bps, the perpetual on ${past.perp_venue} above spot on ${past.venue}, at one moment of each hour`}
        sync="spot-past"
        name={`${name}-gap`}
        format={bps}
        hasZero
        unknown="Prices of spot are kept, but none of the perpetual at the same moment."
        series={shown(gaps)}
      />
      <Chart
        title="Spot price"
        unit={`${past.quote}, last of each hour`}
        sync="spot-past"
        name={`${name}-price`}
        format={price}
        series={shown(prices)}
      />
      <Chart
        title="Borrow rate"
        unit="% a year"
        sync="spot-past"
        name={`${name}-borrow`}
        format={rounded}
        hasZero
        unknown={`${past.venue} has stated no borrow rate in this time.`}
        series={shown(borrow)}
      />
    </>
  );
}
