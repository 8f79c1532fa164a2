import type { JSX } from 'preact';
import { useAnswer } from '../../../../web/data/answers.ts';
import { ages, counts, dollars } from '../../../../web/parts/columns.tsx';
import { Listing } from '../../../../web/parts/listing.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { Shown } from '../../../../web/parts/states.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { linkTo } from '../../../../web/place.ts';
import { count } from '../../../../web/text/number.ts';
import type { FailedPayments, FailedRequests, OperatorFailures } from '../schemas/ledger.ts';

const PATH = '/operator/ledger/failures';
const EVERY_MS = 60_000;

interface Why {
  readonly reason: string | null;
  readonly meaning: string | null;
  readonly newest: string;
}

const MEANING: Column<Why> = {
  id: 'meaning',
  title: 'What it means',
  value: ({ meaning }) => meaning,
  show: ({ meaning, reason }) => (
    <span class="sentences">
      {meaning ?? (reason === null ? 'no reason is known' : "a facilitator's word")}
    </span>
  ),
};
const NEWEST: Column<Why> = ages('newest', 'Newest');

const PAYMENTS: readonly Column<FailedPayments>[] = [
  {
    id: 'reason',
    title: 'Reason',
    value: ({ reason }) => reason,
    show: ({ state, reason }) => (
      <a href={linkTo('operator', { part: 'ledger', state, reason: reason ?? undefined })}>
        {reason ?? 'none stated'}
      </a>
    ),
  },
  { id: 'state', title: 'State', value: ({ state }) => state },
  counts('payments', 'Payments'),
  dollars('usd', 'USD'),
  counts('payers', 'Payers'),
  NEWEST,
  MEANING,
];

const REQUESTS: readonly Column<FailedRequests>[] = [
  {
    id: 'reason',
    title: 'Reason',
    value: ({ reason }) => reason,
    show: ({ reason }) => reason ?? 'none stated',
  },
  { id: 'outcome', title: 'Ended', value: ({ outcome }) => outcome.replaceAll('_', ' ') },
  counts('requests', 'Requests'),
  NEWEST,
  MEANING,
];

/** Lists payments that brought nothing, and requests that came to no payment, by reason. */
export function Failures(): JSX.Element {
  return (
    <Shown answer={useAnswer<OperatorFailures>(PATH, EVERY_MS)} what="why payments failed">
      {({ payments, requests, looked, complete }) => (
        <>
          <Part title="Why payments failed">
            <Listing
              name="failed-payments"
              id="failed"
              caption="Why payments failed"
              columns={PAYMENTS}
              rows={payments}
              keyOf={({ state, reason }) => `${state} ${reason}`}
              first="-payments"
              empty="None has."
              paths={[PATH]}
            />
            {!complete && <p class="fine">Of the newest {count(looked)} payments.</p>}
          </Part>
          <Part title="Why requests with a payment brought no new answer, since the start">
            <Listing
              name="failed-requests"
              id="ended"
              caption="Why requests with a payment brought no new answer"
              columns={REQUESTS}
              rows={requests}
              keyOf={({ outcome, reason }) => `${outcome} ${reason}`}
              first="-requests"
              empty="None has ended so."
              paths={[PATH]}
            />
          </Part>
        </>
      )}
    </Shown>
  );
}
