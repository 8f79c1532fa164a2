import type { JSX } from 'preact';
import { useAnswer } from '../../../../web/data/answers.ts';
import { Chart } from '../../../../web/parts/chart.tsx';
import { Choices } from '../../../../web/parts/fields.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { Shown } from '../../../../web/parts/states.tsx';
import { Tools } from '../../../../web/parts/tools.tsx';
import { choice, go, usePlace } from '../../../../web/place.ts';
import { decimal, UNKNOWN } from '../../../../web/text/number.ts';
import { span, useNow } from '../../../../web/text/time.ts';
import type { OperatorTrends, Trend } from '../schemas/trends.ts';

const EVERY_MS = 60_000;
const HOURS = ['24', '6', '1'] as const;

/** Metrics of the last hours as plots with one cursor. */
export function TrendsPart(): JSX.Element {
  const hours = choice(usePlace().params, 'hours', HOURS);
  const path = `/operator/trends?${new URLSearchParams({ hours })}`;
  return (
    <Part title="Over time">
      <Choices
        label="Time"
        isLabelled={false}
        words={HOURS}
        chosen={hours}
        text={(word) => `${word} h`}
        choose={(word) => go('operator', { part: 'trends', hours: word })}
      />
      <Shown answer={useAnswer<OperatorTrends>(path, EVERY_MS)} what="the metrics over time">
        {(body) => <Plots body={body} />}
      </Shown>
      <Tools name="trends" paths={[path]} />
    </Part>
  );
}

function Plots({ body: { since, times, trends } }: { readonly body: OperatorTrends }): JSX.Element {
  const now = useNow(60_000);
  if (since === null) return <p class="empty">The first minute is not over yet.</p>;
  return (
    <>
      <p class="fine">
        One point a minute, of this process and since its start at most: {span(now - Date.parse(since))} so
        far.
      </p>
      <div class="plots">
        {trends.map((trend) => (
          <Plot key={trend.name} trend={trend} times={times} />
        ))}
      </div>
    </>
  );
}

const text = (value: number | null): string =>
  value === null ? UNKNOWN : decimal(Number(value.toPrecision(3)));

const Plot = ({
  trend,
  times,
}: {
  readonly trend: Trend;
  readonly times: readonly number[];
}): JSX.Element => (
  <Chart
    title={trend.title}
    unit={trend.unit}
    sync="trends"
    name={`trend-${trend.name}`}
    format={text}
    hasZero
    series={[{ label: trend.unit, times, values: trend.values }]}
  />
);
