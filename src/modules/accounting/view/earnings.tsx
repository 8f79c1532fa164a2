import type { JSX } from 'preact';
import { useAnswer } from '../../../../web/data/answers.ts';
import { seconds } from '../../../../web/data/series.ts';
import { Chart } from '../../../../web/parts/chart.tsx';
import { Choices } from '../../../../web/parts/fields.tsx';
import { type Figure, Figures } from '../../../../web/parts/figures.tsx';
import { Listing } from '../../../../web/parts/listing.tsx';
import { Shown } from '../../../../web/parts/states.tsx';
import { choice, go, linkTo, usePlace } from '../../../../web/place.ts';
import { count, priceUsd, share, UNKNOWN } from '../../../../web/text/number.ts';
import { moment } from '../../../../web/text/time.ts';
import type { OperatorEarnings, WeekSum } from '../schemas/earnings.ts';
import { DAYS, EARNINGS, PAYERS, ROUTES, WAYS } from './earnings-columns.tsx';
import { Left } from './margins.tsx';

const PATH = '/operator/earnings';
const EVERY_MS = 60_000;
const GROUPS = ['days', 'routes', 'payers', 'ways', 'days and routes'] as const;

/** What sold answers brought: sums, by day, route, payer and way of paying, this week against the last one. */
export function EarningsPart(): JSX.Element {
  return (
    <Shown answer={useAnswer<OperatorEarnings>(PATH, EVERY_MS)} what="the earnings">
      {(earnings) => (
        <>
          <Sums earnings={earnings} />
          <Days earnings={earnings} />
          <Groups earnings={earnings} />
        </>
      )}
    </Shown>
  );
}

const weekFigure = (title: string, week: WeekSum | null): Figure =>
  week === null
    ? [title, UNKNOWN, { about: 'More payments came than are looked through: it is not whole' }]
    : [
        title,
        priceUsd(week.usd),
        { about: `${count(week.payments)} payments of ${count(week.payers)} payers` },
      ];

/** By how much more the later sum is, as text; a dash where there is nothing to compare with. */
function changeOf(now: WeekSum | null, before: WeekSum | null): string {
  const base = Number(before?.usd ?? 0);
  if (now === null || base === 0) return UNKNOWN;
  const more = Number(now.usd) / base - 1;
  return `${more < 0 ? '−' : '+'}${share(Math.abs(more))} %`;
}

function Sums({ earnings }: { readonly earnings: OperatorEarnings }): JSX.Element {
  const { total, this_week, last_week, payers_total, looked, since, cut } = earnings;
  return (
    <section>
      <h2>Earnings of 35 days</h2>
      <Figures
        label="Earnings"
        figures={[
          weekFigure('Seven days until now', this_week),
          weekFigure('Seven days before', last_week),
          ['Change', changeOf(this_week, last_week)],
          ['All', priceUsd(total.usd), { about: `${count(total.payments)} payments` }],
          ['Left after settlements', <Left key="left" usd={total.margin_usd} />],
          ['Payers', count(payers_total)],
        ]}
      />
      {cut && (
        <p class="notice warn" role="status">
          Summed are the newest {count(looked)} payments, back to {moment(since)}:{' '}
          <code>perpmeter ledger sums --by day</code> sums all.
        </p>
      )}
    </section>
  );
}

/** US dollars to three digits: a day may bring less than a cent. */
const dollars = (value: number | null): string =>
  value === null ? UNKNOWN : priceUsd(String(Number(value.toPrecision(3))));

function Days({ earnings: { days } }: { readonly earnings: OperatorEarnings }): JSX.Element {
  const times = days.map(({ day }) => seconds(`${day}T00:00:00Z`));
  return (
    <Chart
      title="Earnings by day"
      unit="USD a day of UTC"
      sync="earnings"
      name="earnings-by-day"
      format={dollars}
      hasZero
      series={
        days.length === 0
          ? []
          : [
              { label: 'Earned', times, values: days.map(({ usd }) => Number(usd)) },
              {
                label: 'Left after settlements',
                times,
                values: days.map((row) => row.margin_usd),
                isFaint: true,
              },
            ]
      }
    />
  );
}

function Groups({ earnings }: { readonly earnings: OperatorEarnings }): JSX.Element {
  const group = choice(usePlace().params, 'by', GROUPS);
  return (
    <section>
      <h2>Earnings by {group}</h2>
      <Choices
        label="By"
        isLabelled={false}
        words={GROUPS}
        chosen={group}
        choose={(by) => go('operator', { part: 'earnings', by })}
      />
      <Group group={group} earnings={earnings} />
      <p class="tools">
        <a href={linkTo('operator', { part: 'ledger', state: 'delivered' })}>The payments themselves</a>
      </p>
    </section>
  );
}

interface GroupProps {
  readonly group: (typeof GROUPS)[number];
  readonly earnings: OperatorEarnings;
}

const LISTED = { name: 'earnings', empty: 'Nothing has been sold yet.', paths: [PATH] } as const;

function Group({ group, earnings }: GroupProps): JSX.Element {
  if (group === 'payers') return <Payers earnings={earnings} />;
  if (group === 'days') {
    return (
      <Listing
        {...LISTED}
        id="days"
        caption="Earnings by day"
        columns={DAYS}
        rows={earnings.days}
        keyOf={({ day }) => day}
        first="-day"
      />
    );
  }
  if (group === 'routes') {
    return (
      <Listing
        {...LISTED}
        id="routes"
        caption="Earnings by route"
        columns={ROUTES}
        rows={earnings.routes}
        keyOf={({ route }) => route}
        first="-usd"
      />
    );
  }
  return group === 'ways' ? <Ways earnings={earnings} /> : <DayRoutes earnings={earnings} />;
}

function Payers({
  earnings: { payers, payers_total },
}: {
  readonly earnings: OperatorEarnings;
}): JSX.Element {
  return (
    <>
      <Listing
        {...LISTED}
        id="payers"
        caption="Earnings by payer"
        columns={PAYERS}
        rows={payers}
        keyOf={({ payer }) => payer}
        first="-usd"
      />
      {payers.length < payers_total && (
        <p class="fine">
          {count(payers.length)} of {count(payers_total)} payers, those that brought most:{' '}
          <code>perpmeter ledger sums --by payer</code> has all.
        </p>
      )}
    </>
  );
}

const Ways = ({ earnings: { ways } }: { readonly earnings: OperatorEarnings }): JSX.Element => (
  <Listing
    {...LISTED}
    id="ways"
    caption="Earnings by scheme and network"
    columns={WAYS}
    rows={ways}
    keyOf={({ scheme, network }) => `${scheme} ${network}`}
    first="-usd"
  />
);

const DayRoutes = ({ earnings: { earnings } }: { readonly earnings: OperatorEarnings }): JSX.Element => (
  <Listing
    {...LISTED}
    id="earnings"
    caption="Earnings by day and route"
    columns={EARNINGS}
    rows={earnings}
    keyOf={({ day, route }) => `${day} ${route}`}
    first="-day"
  />
);
