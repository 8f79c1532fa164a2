import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { useAnswer } from '../../data/answers.ts';
import type { FundingHistory, Slippages, Snapshot, SnapshotVenue } from '../../data/asset.ts';
import { useVenues } from '../../data/service.ts';
import { Chart } from '../../parts/chart.tsx';
import { sideOf } from '../../parts/rate.tsx';
import { AssetField, Shown } from '../../parts/states.tsx';
import { Tools } from '../../parts/tools.tsx';
import { change, choice, usePlace } from '../../place.ts';
import { bps, cost, percent } from '../../text/number.ts';
import { serverNow } from '../../text/time.ts';
import { assetQuery } from '../asset/asset.tsx';
import { EARNED_DAYS, EarnedTable, earnedCsv } from './earned-table.tsx';
import { Histogram } from './histogram.tsx';
import {
  earned,
  feesBps,
  type Leg,
  type LegPast,
  legPast,
  slippageOfBoth,
  spreadSeries,
} from './pair-model.ts';

const SIZES = ['1000', '5000', '10000'] as const;
const DAY_MS = 86_400_000;

/** Any two venues of an asset, as a position short on the one and long on the other. */
export function Pair(): JSX.Element {
  const { params } = usePlace();
  const { ticker, query } = assetQuery(params);
  const path = `/v1/perp/snapshot?${query}`;
  const answer = useAnswer<Snapshot>(path, 5000);
  return (
    <>
      <div class="head">
        <h1>
          {ticker} <small>a pair of venues</small>
        </h1>
        <AssetField view="pair" ticker={ticker} />
      </div>
      <Shown answer={answer} what={`the snapshot of ${ticker}`}>
        {(snapshot) => <Legs snapshot={snapshot} query={query} />}
      </Shown>
    </>
  );
}

/** The widest pair, until the reader chooses. */
function widest(venues: readonly SnapshotVenue[]): readonly [short: string, long: string] {
  const known = venues
    .filter(({ rate_8h }) => rate_8h !== null)
    .toSorted((a, b) => (b.rate_8h ?? 0) - (a.rate_8h ?? 0));
  return [known[0]?.venue ?? '', known.at(-1)?.venue ?? ''];
}

function VenueSelect({
  label,
  name,
  chosen,
  all,
}: {
  label: string;
  name: string;
  chosen: string;
  all: readonly string[];
}): JSX.Element {
  return (
    <label>
      {label}
      <select value={chosen} onChange={(event) => change({ [name]: event.currentTarget.value })}>
        {all.map((venue) => (
          <option key={venue} value={venue}>
            {venue}
          </option>
        ))}
      </select>
    </label>
  );
}

function Legs({ snapshot, query }: { snapshot: Snapshot; query: string }): JSX.Element {
  const { params } = usePlace();
  const [firstShort, firstLong] = widest(snapshot.venues);
  const [short, long] = [params.get('short') ?? firstShort, params.get('long') ?? firstLong];
  const size = choice(params, 'size', ['10000', '5000', '1000'] as const);
  const all = snapshot.venues.map(({ venue }) => venue).toSorted();
  return (
    <div class="stack">
      <div class="bar">
        <VenueSelect label="Short on" name="short" chosen={short} all={all} />
        <button type="button" onClick={() => change({ short: long, long: short })}>
          Swap
        </button>
        <VenueSelect label="Long on" name="long" chosen={long} all={all} />
        <label>
          Size of a leg
          <select value={size} onChange={(event) => change({ size: event.currentTarget.value })}>
            {SIZES.map((usd) => (
              <option key={usd} value={usd}>
                ${Number(usd) / 1000}K
              </option>
            ))}
          </select>
        </label>
      </div>
      {short === long ? (
        <p class="notice">A pair is of two venues.</p>
      ) : (
        <Position snapshot={snapshot} query={query} short={short} long={long} size={size} />
      )}
    </div>
  );
}

interface PositionProps {
  readonly snapshot: Snapshot;
  readonly query: string;
  readonly short: string;
  readonly long: string;
  readonly size: string;
}

/** From midnight thirty days ago: the address of a call that may have been bought stays the same for a day. */
function historyPath(query: string): string {
  const from = new Date(Math.floor(serverNow() / DAY_MS) * DAY_MS - 29 * DAY_MS).toISOString();
  return `/v1/funding/historical?${query}&aggr=1h&from=${from.slice(0, 19)}Z`;
}

function Position({ snapshot, query, short, long, size }: PositionProps): JSX.Element {
  const venues = useVenues();
  const slippagePath = `/v1/orderbook/multi-venue-slippage?${query}&size_usd=${size}`;
  const slippages = useAnswer<Slippages>(slippagePath, 10_000);
  const path = historyPath(query);
  const history = useAnswer<FundingHistory>(path, 60_000);
  const legOf = (venue: string): Leg => {
    const row = snapshot.venues.find((one) => one.venue === venue);
    const quote =
      slippages.state === 'ready' ? slippages.body.venues.find((one) => one.venue === venue) : undefined;
    const listed = venues.state === 'ready' ? venues.body.find(({ name }) => name === venue) : undefined;
    return {
      venue,
      intervalHours: row?.funding_interval_hours ?? null,
      takerFeeBps: quote?.taker_fee_bps ?? listed?.taker_fee_bps ?? null,
      slippageBps: quote?.slippage_bps ?? null,
    };
  };
  const [shortLeg, longLeg] = [legOf(short), legOf(long)];
  return (
    <>
      <Now snapshot={snapshot} short={shortLeg} long={longLeg} />
      {slippages.state === 'unpaid' && (
        <Shown answer={slippages} what="the slippage of both legs">
          {() => null}
        </Shown>
      )}
      <Shown answer={history} what="the funding history of the pair">
        {(body) => (
          <Past
            history={body}
            short={shortLeg}
            long={longLeg}
            sizeUsd={Number(size)}
            paths={[path, slippagePath]}
          />
        )}
      </Shown>
    </>
  );
}

/** The pair at present rates. */
function Now({ snapshot, short, long }: { snapshot: Snapshot; short: Leg; long: Leg }): JSX.Element {
  const rowOf = ({ venue }: Leg): SnapshotVenue | undefined =>
    snapshot.venues.find((one) => one.venue === venue);
  const [a, b] = [rowOf(short), rowOf(long)];
  const spread = a?.rate_8h == null || b?.rate_8h == null ? null : a.rate_8h - b.rate_8h;
  const gap =
    a?.mark_price == null || b?.mark_price == null ? null : (a.mark_price / b.mark_price - 1) * 10_000;
  return (
    <dl class="figures">
      <div>
        <dt>{short.venue}, short</dt>
        <dd>
          {percent(a?.rate_8h)} <small>% per 8 h</small>
        </dd>
      </div>
      <div>
        <dt>{long.venue}, long</dt>
        <dd>
          {percent(b?.rate_8h)} <small>% per 8 h</small>
        </dd>
      </div>
      <div>
        <dt>Spread now</dt>
        <dd class={sideOf(spread)}>
          {percent(spread)} <small>% per 8 h</small>
        </dd>
      </div>
      <div>
        <dt>Fees, in and out</dt>
        <dd>
          {cost(feesBps(short, long))} <small>bps</small>
        </dd>
      </div>
      <div>
        <dt>Slippage, in and out</dt>
        <dd>
          {cost(slippageOfBoth(short, long))} <small>bps</small>
        </dd>
      </div>
      <div>
        <dt>Mark, short over long</dt>
        <dd>
          {bps(gap)} <small>bps</small>
        </dd>
      </div>
    </dl>
  );
}

interface PastProps {
  readonly history: FundingHistory;
  readonly short: Leg;
  readonly long: Leg;
  readonly sizeUsd: number;
  readonly paths: readonly string[];
}

function Past({ history, short, long, sizeUsd, paths }: PastProps): JSX.Element {
  const past = useMemo(
    () => ({ short: legPast(history, short.venue), long: legPast(history, long.venue) }),
    [history, short.venue, long.venue],
  );
  const both: readonly [Leg & LegPast, Leg & LegPast] = [
    { ...short, ...past.short },
    { ...long, ...past.long },
  ];
  const spread = spreadSeries(...both);
  const now = serverNow();
  const rows = EARNED_DAYS.map((days) => earned(...both, days, now));
  return (
    <>
      <section>
        <h2>What a position until now would have earned</h2>
        <EarnedTable rows={rows} sizeUsd={sizeUsd} />
        <p class="fine">
          Settled funding of both venues and their mean prices of each hour, in bps of one leg's notional;
          fees at the base tier, in and out. Slippage is that of the present books: past depth is not in it. A
          past of which too few settlements are known has no result. Not a profit forecast.
        </p>
        <Tools
          name={`pair-${short.venue}-${long.venue}`}
          csv={() => earnedCsv(rows, sizeUsd)}
          paths={paths}
        />
      </section>
      <Chart
        title="Spread"
        unit="% per 8 h, at each settlement of either venue, thirty days"
        sync="pair"
        name={`spread-${short.venue}-${long.venue}`}
        format={percent}
        series={spread.times.length === 0 ? [] : [spread]}
      />
      <Histogram values={spread.values} />
    </>
  );
}
