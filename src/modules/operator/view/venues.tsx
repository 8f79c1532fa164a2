import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAnswer } from '../../../../web/data/answers.ts';
import { ages, sentences } from '../../../../web/parts/columns.tsx';
import { Listing } from '../../../../web/parts/listing.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { Age, Shown } from '../../../../web/parts/states.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { count } from '../../../../web/text/number.ts';
import type { OperatorVenues, VenueTrouble } from '../schemas/venues.ts';
import { Confirm } from './confirm.tsx';

const PATH = '/operator/venues';
const EVERY_MS = 5000;

interface AskedVenue {
  readonly venue: string;
  readonly action: 'pause' | 'resume';
}

/** The faults of a venue in one text; a dash where there are none. */
function faultsOf({ last_error, failing, circuits }: VenueTrouble): string {
  const feeds = failing.map(({ name, fault }) => `${name}: ${fault}`);
  const resting = circuits === 0 ? [] : [`${count(circuits)} hosts rest after failures`];
  const all = [...(last_error === null ? [] : [last_error]), ...feeds, ...resting];
  return all.length === 0 ? '–' : all.join('; ');
}

const COLUMNS: readonly Column<VenueTrouble>[] = [
  { id: 'venue', title: 'Venue', value: ({ venue }) => venue },
  {
    id: 'status',
    title: 'Status',
    value: ({ status }) => ['down', 'stale', 'live'].indexOf(status),
    csv: ({ status }) => status,
    show: ({ status, paused }) => (
      <>
        <span class={`tag ${status}`}>{status}</span> {paused && <span class="tag stale">paused</span>}
      </>
    ),
  },
  ages('since', 'For'),
  {
    id: 'last',
    title: 'Last data',
    numeric: true,
    value: (row) => (row.last_update_at === null ? null : -Date.parse(row.last_update_at)),
    csv: (row) => row.last_update_at,
    show: (row) => <Age at={row.last_update_at} />,
  },
  sentences('fails', 'What fails', faultsOf),
  sentences('to_do', 'What to do', (row) => row.to_do),
];

const actionColumn = (ask: (asked: AskedVenue) => void): Column<VenueTrouble> => ({
  id: 'action',
  title: 'Pause',
  value: () => null,
  show: ({ venue, paused }) => {
    const action = paused ? 'resume' : 'pause';
    const word = paused ? 'Resume' : 'Pause';
    return (
      <button
        type="button"
        class="quiet"
        aria-label={`${word} ${venue}`}
        onClick={() => ask({ venue, action })}
      >
        {word}
      </button>
    );
  },
});

/** Lists the faults of each venue with their age and what to do; an operator who may act pauses and resumes venues. */
export function VenuesPart(): JSX.Element {
  const [asked, ask] = useState<AskedVenue>();
  return (
    <Shown answer={useAnswer<OperatorVenues>(PATH, EVERY_MS)} what="the venues">
      {({ venues, allows_actions }) => (
        <Part title="What fails, since when, and what to do">
          {asked !== undefined && <Asked asked={asked} close={() => ask(undefined)} />}
          <Listing
            name="venue-troubles"
            id="troubles"
            caption="What fails at the venues"
            columns={allows_actions ? [...COLUMNS, actionColumn(ask)] : COLUMNS}
            rows={venues}
            keyOf={({ venue }) => venue}
            first="status"
            empty="No venue is collected."
            paths={[PATH]}
          />
          {!allows_actions && (
            <p class="fine">
              This port only reads. With <code>ADMIN_ACTIONS=on</code> and an <code>ADMIN_TOKEN</code> venues
              can be paused here.
            </p>
          )}
        </Part>
      )}
    </Shown>
  );
}

function Asked({ asked, close }: { readonly asked: AskedVenue; readonly close: () => void }): JSX.Element {
  const { venue, action } = asked;
  const isPause = action === 'pause';
  return (
    <Confirm
      key={`${action} ${venue}`}
      path={PATH}
      action={{ action, venue }}
      done={() => (isPause ? `${venue} is paused.` : `${venue} is collected again.`)}
      close={close}
    >
      {isPause ? (
        <>
          <strong>Ask {venue} nothing more until it is resumed.</strong> Its books go at once, its rows grow
          stale and leave the answers, its contracts stay listed, and its history has a gap. A restart of the
          service resumes it; <code>VENUES</code> leaves it out for good.
        </>
      ) : (
        <strong>Collect {venue} again.</strong>
      )}
    </Confirm>
  );
}
