import type { JSX } from 'preact';
import { useAnswer } from '../../../../web/data/answers.ts';
import { seconds } from '../../../../web/data/series.ts';
import { Chart } from '../../../../web/parts/chart.tsx';
import { Choices } from '../../../../web/parts/fields.tsx';
import { type Figure, Figures } from '../../../../web/parts/figures.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { Shown } from '../../../../web/parts/states.tsx';
import { choice, go, linkTo, usePlace } from '../../../../web/place.ts';
import { count, priceUsd, share, UNKNOWN } from '../../../../web/text/number.ts';
import { moment } from '../../../../web/text/time.ts';
import type { OperatorEarnings, WeekSum } from '../schemas/earnings.ts';
import { GROUPS, TABLES } from './earnings-tables.tsx';
import { Left } from './margins.tsx';

const PATH = '/operator/earnings';
const EVERY_MS = 60_000;

/** Sums what sold answers brought, by day, route, payer and way of paying, with this week against the last one. */
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

/** The growth from the earlier sum to the later one, as text; a dash where there is nothing to compare with. */
function changeOf(now: WeekSum | null, before: WeekSum | null): string {
  const base = Number(before?.usd ?? 0);
  if (now === null || base === 0) return UNKNOWN;
  const more = Number(now.usd) / base - 1;
  return `${more < 0 ? '−' : '+'}${share(Math.abs(more))} %`;
}

function Sums({ earnings }: { readonly earnings: OperatorEarnings }): JSX.Element {
  const { total, this_week, last_week, payers_total, looked, since, cut } = earnings;
  return (
    <Part title="Earnings of 35 days">
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
    </Part>
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
  const Table = TABLES[group];
  return (
    <Part title={`Earnings by ${group}`}>
      <Choices
        label="By"
        isLabelled={false}
        words={GROUPS}
        chosen={group}
        choose={(by) => go('operator', { part: 'earnings', by })}
      />
      <Table earnings={earnings} path={PATH} />
      <p class="tools">
        <a href={linkTo('operator', { part: 'ledger', state: 'delivered' })}>The payments themselves</a>
      </p>
    </Part>
  );
}
