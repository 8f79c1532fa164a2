import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { BacktestDataAnswer, FundingHistoricalAnswer } from '../../../packages/client/src/routes.ts';
import { Chart } from '../../parts/chart.tsx';
import { csvOf, Table } from '../../parts/table.tsx';
import { Tools } from '../../parts/tools.tsx';
import { percent } from '../../text/number.ts';
import { serverNow } from '../../text/time.ts';
import { DAY_COLUMNS, EARNED_DAYS, EarnedTable, earnedCsv } from './earned-table.tsx';
import { Histogram } from './histogram.tsx';
import {
  earned,
  earnedDays,
  type Leg,
  type LegPast,
  type LegSize,
  legPast,
  spreadSeries,
  storedSlippages,
} from './pair-model.ts';

interface PastProps {
  readonly history: FundingHistoricalAnswer;
  readonly short: Leg;
  readonly long: Leg;
  /** Of the legs that something is stored of. */
  readonly books: readonly BacktestDataAnswer[];
  readonly size: LegSize;
  readonly paths: readonly string[];
}

/** What the pair would have earned, and how its spread went. */
export function Past({ history, short, long, books, size, paths }: PastProps): JSX.Element {
  const past = useMemo(() => {
    const of = (venue: string): LegPast =>
      legPast(
        history,
        venue,
        storedSlippages(
          books.find((one) => one.venue === venue),
          size,
        ),
      );
    return { short: of(short.venue), long: of(long.venue) };
  }, [history, books, size, short.venue, long.venue]);
  const both: readonly [Leg & LegPast, Leg & LegPast] = [
    { ...short, ...past.short },
    { ...long, ...past.long },
  ];
  const spread = spreadSeries(...both);
  const now = serverNow();
  const days = earnedDays(...both, 30, now);
  const rows = EARNED_DAYS.map((days) => earned(...both, days, now));
  return (
    <>
      <section>
        <h2>What a position until now would have earned</h2>
        <EarnedTable rows={rows} sizeUsd={size} />
        <p class="fine">
          Settled funding of both venues and their mean prices of each hour, in bps of one leg's notional;
          fees at the base tier, in and out. Slippage: going in, of the books that were stored in the hour in
          which the position began, or of the present ones where none were; going out, of the present ones. A
          past of which too few settlements are known has no result. Not a profit forecast.
        </p>
        <Tools name={`pair-${short.venue}-${long.venue}`} csv={() => earnedCsv(rows, size)} paths={paths} />
      </section>
      <section>
        <h2>Day by day</h2>
        <Table
          id="days"
          caption="Earnings of the pair by day"
          columns={DAY_COLUMNS}
          rows={days}
          keyOf={({ at }) => String(at)}
          first="-day"
        />
        <p class="fine">
          Settled funding of each day in UTC and the drift of the prices within it, before fees and slippage;
          a day of which too few settlements are known has none. Today as far as it went.
        </p>
        <Tools name={`days-${short.venue}-${long.venue}`} csv={() => csvOf(DAY_COLUMNS, days)} paths={[]} />
      </section>
      <Chart
        title="Spread"
        unit="% per 8 h, at each settlement of either venue, thirty days"
        sync="pair"
        name={`spread-${short.venue}-${long.venue}`}
        format={percent}
        hasZero
        series={spread.times.length === 0 ? [] : [spread]}
      />
      <Histogram values={spread.values} />
    </>
  );
}
