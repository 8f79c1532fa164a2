import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { FundingHistoricalAnswer } from '../../../../packages/client/src/routes.ts';
import { useAnswer } from '../../../../web/data/answers.ts';
import { Chart } from '../../../../web/parts/chart.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { Shown } from '../../../../web/parts/states.tsx';
import { Tools } from '../../../../web/parts/tools.tsx';
import { percent } from '../../../../web/text/number.ts';
import { DAY_MS, serverNow } from '../../../../web/text/time.ts';
import { Histogram } from './histogram.tsx';
import { type SpreadLeg, spreadSeries, whyNoSpread } from './spread-series.ts';

interface SpreadHistoryProps {
  readonly query: string;
  readonly short: SpreadLeg;
  readonly long: SpreadLeg;
}

/** From midnight thirty days ago: the address of a call that may have been bought stays the same for a day. */
function historyPath(query: string): string {
  const from = new Date(Math.floor(serverNow() / DAY_MS) * DAY_MS - 29 * DAY_MS).toISOString();
  return `/v1/funding/historical?${query}&basis=settled&aggr=1h&from=${from.slice(0, 19)}Z`;
}

/** The spread over time, and how it is distributed. */
export function SpreadHistory({ query, short, long }: SpreadHistoryProps): JSX.Element {
  const path = historyPath(query);
  return (
    <Part title="The spread over time">
      <Shown answer={useAnswer<FundingHistoricalAnswer>(path, 60_000)} what="the funding history of the pair">
        {(history) => (
          <>
            <Plots history={history} short={short} long={long} />
            <Tools name="spread" paths={[path]} />
          </>
        )}
      </Shown>
    </Part>
  );
}

function Plots({
  history,
  short,
  long,
}: Omit<SpreadHistoryProps, 'query'> & { history: FundingHistoricalAnswer }): JSX.Element {
  const spread = useMemo(() => spreadSeries(history, short, long), [history, short.venue, long.venue]);
  const empty = whyNoSpread(history, short, long);
  return (
    <>
      <Chart
        title="Spread"
        unit="% per 8 h by the intervals of each time, at each settlement of either venue, thirty days"
        sync="pair"
        name={`spread-${short.venue}-${long.venue}`}
        format={percent}
        hasZero
        empty={empty}
        series={spread.times.length === 0 ? [] : [spread]}
      />
      <Histogram values={spread.values} empty={empty} />
    </>
  );
}
