import type { JSX } from 'preact';
import { counts } from '../../../../web/parts/columns.tsx';
import { Listing } from '../../../../web/parts/listing.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { Age } from '../../../../web/parts/states.tsx';
import { type Column, csvOf, Table } from '../../../../web/parts/table.tsx';
import { Snippet, Tools } from '../../../../web/parts/tools.tsx';
import { count, share } from '../../../../web/text/number.ts';
import { span } from '../../../../web/text/time.ts';
import type { Budget, Feed, OperatorVenue, RejectSample } from '../schemas/state.ts';

const STATE = '/operator/state';

interface FeedLine extends Feed {
  readonly venue: OperatorVenue;
}

/** The fault of a feed, if it has one. */
function faultOf(feed: FeedLine): string | null {
  if (feed.kind === 'stream' && (feed.open ?? 0) < (feed.connections ?? 0)) {
    return `${feed.open ?? 0} of ${feed.connections ?? 0} connections open`;
  }
  const rounds = feed.rounds ?? 0;
  const failed = rounds - (feed.good_rounds ?? 0);
  return failed > 0 ? `${count(failed)} of ${count(rounds)} rounds failed` : null;
}

const FEEDS: readonly Column<FeedLine>[] = [
  { id: 'venue', title: 'Venue', value: ({ venue }) => venue.venue },
  {
    id: 'status',
    title: 'Status',
    value: ({ venue }) => venue.status,
    show: ({ venue: { status } }) => <span class={`tag ${status}`}>{status}</span>,
  },
  {
    id: 'age',
    title: 'Venue age',
    numeric: true,
    value: ({ venue }) => (venue.last_update_at === null ? null : -Date.parse(venue.last_update_at)),
    csv: ({ venue }) => venue.last_update_at,
    show: ({ venue }) => <Age at={venue.last_update_at} limitMs={60_000} />,
  },
  { id: 'kind', title: 'Kind', value: ({ kind }) => kind },
  { id: 'feed', title: 'Feed', value: ({ name }) => name },
  {
    id: 'every',
    title: 'Every',
    numeric: true,
    value: (row) => row.every_seconds,
    show: (row) => (row.every_seconds === undefined ? '–' : span(row.every_seconds * 1000)),
  },
  {
    id: 'feed_age',
    title: 'Last frame',
    numeric: true,
    value: (row) => (row.last_data_at === null ? null : -Date.parse(row.last_data_at)),
    csv: (row) => row.last_data_at,
    show: (row) => <Age at={row.last_data_at} />,
  },
  counts('topics', 'Topics'),
  counts('quotes', 'Quotes'),
  counts('rejects', 'Rejects'),
  counts('reconnects', 'Reconnects'),
  {
    id: 'fault',
    title: 'Fault',
    value: faultOf,
    show: (row) => <span class="bad">{faultOf(row) ?? ''}</span>,
  },
  {
    id: 'last_error',
    title: 'Last error of the venue',
    value: ({ venue }) => venue.last_error,
    show: ({ venue }) => <span class="cut">{venue.last_error ?? '–'}</span>,
  },
];

/** Every poll and stream of every venue. */
export function Feeds({ venues }: { venues: readonly OperatorVenue[] }): JSX.Element {
  const rows = venues.flatMap((venue) => venue.feeds.map((feed) => ({ ...feed, venue })));
  return (
    <Part title="Venues and their feeds">
      <Listing
        name="feeds"
        id="feeds"
        caption="Feeds of the venues"
        columns={FEEDS}
        rows={rows}
        keyOf={(row) => `${row.venue.venue} ${row.kind} ${row.name}`}
        first="venue"
        paths={[STATE]}
      />
    </Part>
  );
}

const BUDGETS: readonly Column<Budget>[] = [
  { id: 'venue', title: 'Venue', value: ({ venue }) => venue },
  { id: 'pool', title: 'Pool', value: ({ pool }) => pool },
  counts('limit', 'Limit'),
  {
    id: 'per',
    title: 'Per',
    numeric: true,
    value: (row) => row.per_seconds,
    show: (row) => span(row.per_seconds * 1000),
  },
  {
    id: 'used',
    title: 'Used now',
    unit: '%',
    numeric: true,
    value: ({ used, limit }) => used / limit,
    show: ({ used, limit }) => <span class={used >= limit ? 'bad' : ''}>{share(used / limit)}</span>,
  },
  counts('waiting', 'Waiting'),
  {
    id: 'waited',
    title: 'Waited since start',
    numeric: true,
    value: (row) => row.waited_seconds,
    show: (row) => span(row.waited_seconds * 1000),
  },
];

/** The venues' limits, and the used part of them. */
export function Budgets({ budgets }: { budgets: readonly Budget[] }): JSX.Element {
  return (
    <Part title="Request budgets">
      <Listing
        name="budgets"
        id="budgets"
        caption="Request budgets"
        columns={BUDGETS}
        rows={budgets}
        keyOf={(row) => `${row.venue} ${row.pool}`}
        first="-used"
        paths={[STATE]}
      />
    </Part>
  );
}

interface RejectLine {
  readonly venue: string;
  readonly reason: string;
  readonly count: number;
}

const REJECTS: readonly Column<RejectLine>[] = [
  {
    id: 'reason',
    title: 'Reason',
    value: ({ reason }) => reason,
    show: ({ reason }) => reason.replaceAll('_', ' '),
  },
  { id: 'venue', title: 'Venue', value: ({ venue }) => venue },
  counts('count', 'Rows or fields since start'),
];

/** Rows that were left out by reason, and rows that are not compared. */
export function Rejects(props: {
  venues: readonly OperatorVenue[];
  identities: Readonly<Record<string, number>>;
}): JSX.Element {
  return (
    <>
      <Uncompared identities={props.identities} />
      <LeftOut venues={props.venues} />
    </>
  );
}

function Uncompared({ identities }: { identities: Readonly<Record<string, number>> }): JSX.Element {
  const rows = Object.entries(identities).map(([reason, times]) => ({ venue: 'all', reason, count: times }));
  return (
    <Part title="Rows that are not compared now">
      <Listing
        name="uncompared"
        id="uncompared"
        caption="Rows that are not compared"
        columns={REJECTS.filter(({ id }) => id !== 'venue')}
        rows={rows}
        keyOf={({ reason }) => reason}
        first="-count"
        empty="Every row is compared."
        paths={[STATE]}
      />
    </Part>
  );
}

function LeftOut({ venues }: { venues: readonly OperatorVenue[] }): JSX.Element {
  const rows = venues.flatMap(({ venue, rejects }) =>
    Object.entries(rejects).map(([reason, times]) => ({ venue, reason, count: times })),
  );
  return (
    <Part title="Left out by decoders">
      <Table
        id="rejects"
        caption="Rejects by reason"
        columns={REJECTS}
        rows={rows}
        keyOf={({ venue, reason }) => `${venue} ${reason}`}
        first="-count"
        empty="Nothing was left out."
      />
      {venues.map(({ venue, sample }) => sample && <Sample key={venue} venue={venue} sample={sample} />)}
      <Tools name="rejects" csv={() => csvOf(REJECTS, rows)} paths={[STATE]} />
    </Part>
  );
}

/** A venue's last payload with a fault, cut short. */
function Sample({ venue, sample }: { venue: string; sample: RejectSample }): JSX.Element {
  const { at, source, symbol, reason, detail, payload } = sample;
  return (
    <details class="notice">
      <summary>
        {venue}: {reason.replaceAll('_', ' ')} {detail} in {source}
        {symbol !== null && <code> {symbol}</code>}, <Age at={at} /> ago
      </summary>
      <Snippet label={`Payload of ${venue}`} text={payload} />
    </details>
  );
}
