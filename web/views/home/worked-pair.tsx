import type { JSX } from 'preact';
import type { FreePairAnswer } from '../../../packages/client/src/routes.ts';
import { useAnswer } from '../../data/answers.ts';
import { SkipPast } from '../../parts/skip-past.tsx';
import { Age, Shown } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { linkTo } from '../../place.ts';
import { bps, cost, count, percent, rounded, usd } from '../../text/number.ts';

type Pair = NonNullable<FreePairAnswer['pair']>;
type Leg = Pair['short'] & { readonly side: string };
type Cost = Pair['costs'][number];
type Day = Pair['days'][number];

const LEGS: readonly Column<Leg>[] = [
  { id: 'side', title: 'Leg', value: ({ side }) => side },
  { id: 'venue', title: 'Venue', value: ({ venue }) => venue },
  { id: 'contract', title: 'Contract', value: ({ venue_symbol }) => venue_symbol },
  { id: 'quote', title: 'Quoted in', value: ({ quote }) => quote },
  {
    id: 'rate',
    title: '8 h',
    unit: '%',
    numeric: true,
    value: ({ rate_8h }) => rate_8h,
    show: ({ rate_8h }) => percent(rate_8h),
  },
  {
    id: 'interval',
    title: 'Interval',
    unit: 'h',
    numeric: true,
    value: (leg) => leg.funding_interval_hours,
    show: (leg) => count(leg.funding_interval_hours),
  },
  {
    id: 'oi',
    title: 'Open interest',
    numeric: true,
    value: (leg) => leg.open_interest,
    show: (leg) => usd(leg.open_interest),
  },
];

const COSTS: readonly Column<Cost>[] = [
  { id: 'size', title: 'Size of a leg', value: ({ size_usd }) => size_usd, show: (row) => usd(row.size_usd) },
  {
    id: 'slippage',
    title: 'Slippage, short / long',
    unit: 'bps',
    numeric: true,
    value: (row) => row.short_slippage_bps,
    show: (row) => `${cost(row.short_slippage_bps)} / ${cost(row.long_slippage_bps)}`,
  },
  {
    id: 'cost',
    title: 'In and out, with fees',
    unit: 'bps',
    numeric: true,
    value: (row) => row.cost_bps,
    show: (row) => cost(row.cost_bps),
  },
  {
    id: 'days',
    title: 'Breaks even after',
    unit: 'd',
    numeric: true,
    value: (row) => row.days_to_breakeven,
    show: (row) => rounded(row.days_to_breakeven),
  },
];

/** One pair, worked out for everybody: identity, cost at size, past. */
export function WorkedPair(): JSX.Element {
  const answer = useAnswer<FreePairAnswer>('/v1/free/pair', 60_000);
  return (
    <section class="worked" aria-labelledby="worked">
      <SkipPast what="the pair" />
      <h2 id="worked">A pair worked out, free</h2>
      <Shown answer={answer} what="the worked pair">
        {({ pair, as_of: at, delay_seconds: delay, min_open_interest_usd: floor, note }) =>
          pair === null ? (
            <p class="empty">
              {at === null
                ? `Nothing yet: it is ${count(delay / 60)} min late, and the service has just started.`
                : `No two contracts of an asset with ${usd(floor)} of open interest each differ.`}
            </p>
          ) : (
            <>
              <p class="fine">
                As it was <Age at={at} /> ago. {note}
              </p>
              <Worked pair={pair} />
            </>
          )
        }
      </Shown>
    </section>
  );
}

function Worked({ pair }: { pair: Pair }): JSX.Element {
  const { ticker, canonical_id: id, same_ticker: others, aliases, venues, short, long } = pair;
  return (
    <>
      <p class="pair">
        <strong>{ticker}</strong>
        <span>
          <b class="positive">{bps(pair.spread_8h_bps)}</b> bps per 8 h
        </span>
        <span>
          fees <b>{cost(pair.round_trip_fee_bps)}</b> bps
        </span>
        <span>
          {id}
          {aliases.length > 0 && `, also ${aliases.join(', ')}`}, on {count(venues.length)} venues
          {others.length > 0 && `; another asset: ${others.join(', ')}`}
        </span>
        <a href={linkTo('pair', { ticker, id, short: short.venue, long: long.venue })}>The pair now</a>
      </p>
      <div class="worked-parts">
        <Table
          id="worked-legs"
          caption="Legs of the worked pair"
          columns={LEGS}
          rows={[
            { side: 'short', ...short },
            { side: 'long', ...long },
          ]}
          keyOf={({ side }) => side}
        />
        <Table
          id="worked-costs"
          caption="Costs of the worked pair"
          columns={COSTS}
          rows={pair.costs}
          keyOf={({ size_usd: size }) => String(size)}
        />
      </div>
      <Past days={pair.days} />
    </>
  );
}

const [WIDTH, HEIGHT] = [720, 100] as const;

const DAYS: readonly Column<Day>[] = [
  { id: 'day', title: 'Day', value: ({ day_start }) => day_start.slice(0, 10) },
  {
    id: 'settled',
    title: 'Short less long',
    unit: 'bps',
    numeric: true,
    value: (row) => row.settled_spread_bps,
    show: (row) => bps(row.settled_spread_bps),
  },
];

/** The settled spread of each day as bars above and below zero, and as a table. */
function Past({ days }: { days: readonly Day[] }): JSX.Element | null {
  const known = days.flatMap(({ settled_spread_bps: value }) => value ?? []);
  if (known.length === 0) return <p class="empty">No whole day of both legs is stored.</p>;
  const most = Math.max(...known, 0);
  const least = Math.min(...known, 0);
  const unit = HEIGHT / (most - least || 1);
  const wide = WIDTH / days.length;
  return (
    <figure class="chart">
      <figcaption>
        <h3>
          Settled funding by day{' '}
          <small>short less long, bps; total {bps(known.reduce((a, b) => a + b, 0))}</small>
        </h3>
      </figcaption>
      <svg class="histogram" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map(({ day_start, settled_spread_bps: value }, at) =>
          value === null ? null : (
            <rect
              key={day_start}
              class={value >= 0 ? 'above' : 'below'}
              x={at * wide + 1}
              width={wide - 2}
              y={(most - Math.max(value, 0)) * unit}
              height={Math.abs(value) * unit}
            />
          ),
        )}
      </svg>
      <details class="numbers">
        <summary>Numbers</summary>
        <Table
          id="worked-days"
          caption="Days of the worked pair"
          columns={DAYS}
          rows={days}
          keyOf={({ day_start }) => day_start}
        />
      </details>
    </figure>
  );
}
