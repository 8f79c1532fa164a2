import type { JSX } from 'preact';
import type {
  FundingHistoricalAnswer,
  PerpOiHistoryAnswer,
  PerpSnapshotAnswer,
} from '../../../packages/client/src/routes.ts';
import { useAnswer, useAnswers } from '../../data/answers.ts';
import { Chart } from '../../parts/chart.tsx';
import { Choices } from '../../parts/fields.tsx';
import { Part } from '../../parts/part.tsx';
import { Shown } from '../../parts/states.tsx';
import { Tools } from '../../parts/tools.tsx';
import { change, choice, usePlace } from '../../place.ts';
import { bps, percent, usd } from '../../text/number.ts';
import { DAY_MS, serverNow } from '../../text/time.ts';
import { fundingSeries, gapSeries, valueSeries } from './history-series.ts';

const SPANS = ['3d', '7d', '30d'] as const;
type Span = (typeof SPANS)[number];
const AGGREGATION: Readonly<Record<Span, string>> = { '3d': '1h', '7d': '4h', '30d': '1d' };
const FIRST_VENUES = 3;
/** More lines than these are not told apart. */
const MAX_VENUES = 6;

interface HistoryProps {
  readonly ticker: string;
  readonly query: string;
  readonly snapshot: PerpSnapshotAnswer | undefined;
}

/** The largest by open interest, until the reader chooses. */
function largest({ venues }: PerpSnapshotAnswer): readonly string[] {
  return venues
    .toSorted((a, b) => (b.open_interest ?? 0) - (a.open_interest ?? 0))
    .slice(0, FIRST_VENUES)
    .map(({ venue }) => venue);
}

/** Begins at midnight, so that the address of a call, which may have been bought, stays the same for a day. */
function windowOf(span: Span): string {
  const today = Math.floor(serverNow() / DAY_MS) * DAY_MS;
  const from = new Date(today - Number.parseInt(span, 10) * DAY_MS + DAY_MS).toISOString();
  return `aggr=${AGGREGATION[span]}&from=${from.slice(0, 19)}Z`;
}

/** Funding, open interest, volume and price gap over time, on one time axis with one cursor. */
export function AssetHistory({ ticker, query, snapshot }: HistoryProps): JSX.Element {
  const { params } = usePlace();
  const span = choice(params, 'span', SPANS);
  const named = params.get('v');
  const venues =
    named === null
      ? snapshot === undefined
        ? []
        : largest(snapshot)
      : named.split(',').slice(0, MAX_VENUES);
  const listed = snapshot?.venues.map(({ venue }) => venue) ?? venues;
  return (
    <Part title="History">
      <div class="bar">
        <Choices label="Span" words={SPANS} chosen={span} choose={(word) => change({ span: word })} />
        {listed.length > 0 && <VenueChips listed={listed} chosen={venues} />}
      </div>
      <FundingCharts ticker={ticker} query={query} span={span} venues={venues} />
      {venues.length === 0 ? (
        <p class="fine">
          Its venues are named by the snapshot; open interest and volume are shown of those that are chosen.
        </p>
      ) : (
        <>
          <ValueChart kind="oi" ticker={ticker} query={query} span={span} venues={venues} />
          <ValueChart kind="volume" ticker={ticker} query={query} span={span} venues={venues} />
        </>
      )}
    </Part>
  );
}

/** Where one too many is chosen, the first gives way. */
function VenueChips(props: { listed: readonly string[]; chosen: readonly string[] }): JSX.Element {
  const { listed, chosen } = props;
  const choose = (venue: string): void => {
    const next = chosen.includes(venue) ? chosen.filter((name) => name !== venue) : [...chosen, venue];
    change({ v: next.slice(-MAX_VENUES).join(',') });
  };
  return (
    <fieldset class="chips">
      <legend>Venues, at most {MAX_VENUES}</legend>
      {listed.map((venue) => (
        <button key={venue} type="button" aria-pressed={chosen.includes(venue)} onClick={() => choose(venue)}>
          {venue}
        </button>
      ))}
    </fieldset>
  );
}

interface SpanProps {
  readonly ticker: string;
  readonly query: string;
  readonly span: Span;
  readonly venues: readonly string[];
}

function FundingCharts({ ticker, query, span, venues }: SpanProps): JSX.Element {
  const path = `/v1/funding/historical?${query}&basis=both&${windowOf(span)}`;
  const answer = useAnswer<FundingHistoricalAnswer>(path, 60_000);
  return (
    <Shown answer={answer} what={`the funding history of ${ticker}`}>
      {(history) => (
        <>
          <Chart
            title="Funding"
            unit="% per 8 h by the interval of each time; settled as steps, sampled as dashed lines"
            sync="asset"
            name={`${ticker}-funding-history`}
            format={percent}
            hasZero
            unknown="Rates of this time are kept, but not the interval that they are for: they cannot be compared."
            series={fundingSeries(history, venues)}
          />
          <Chart
            title="Price gap"
            unit="bps from the mean of all venues"
            sync="asset"
            name={`${ticker}-price-gap`}
            format={bps}
            hasZero
            unknown="Of no time are the prices of two venues kept: there is no gap to show."
            series={gapSeries(history, venues)}
          />
          <Tools name={ticker} paths={[path]} />
        </>
      )}
    </Shown>
  );
}

function ValueChart({
  kind,
  ticker,
  query,
  span,
  venues,
}: SpanProps & { kind: 'oi' | 'volume' }): JSX.Element {
  const paths = venues.map((venue) => `/v1/perp/${kind}-history?${query}&venue=${venue}&${windowOf(span)}`);
  const title = kind === 'oi' ? 'Open interest' : 'Volume 24 h';
  return (
    <Shown
      answer={useAnswers<PerpOiHistoryAnswer>(paths, 60_000)}
      what={`the ${title.toLowerCase()} of ${ticker} over time`}
    >
      {(histories) => (
        <Chart
          title={title}
          unit="USD"
          sync="asset"
          name={`${ticker}-${kind}-history`}
          format={usd}
          series={valueSeries(histories)}
        />
      )}
    </Shown>
  );
}
