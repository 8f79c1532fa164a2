import type { JSX } from 'preact';
import type { WatchAnswer } from '../../../../packages/client/src/routes.ts';
import { useRoutes } from '../../../../web/data/service.ts';
import { Listing } from '../../../../web/parts/listing.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { Loading, Shown } from '../../../../web/parts/states.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { Snippet, save } from '../../../../web/parts/tools.tsx';
import { go } from '../../../../web/place.ts';
import { count } from '../../../../web/text/number.ts';
import { moment } from '../../../../web/text/time.ts';
import { Spans } from './buy-watch.tsx';
import { conditionWords, type Firing, judgedWords } from './condition-words.ts';
import { useMyWatches } from './going-on.ts';
import { PhaseTag } from './my-watches.tsx';
import type { FollowedWatch } from './watch-follower.ts';
import { removeWatch } from './watch-store.ts';

/** One of this browser's watches with all that it has told. */
export function OneWatch({ id }: { readonly id: string }): JSX.Element {
  const watches = useMyWatches();
  if (watches === undefined) return <Loading what="the watch" />;
  const watch = watches === 'unkept' ? undefined : watches.find(({ kept }) => kept.id === id);
  if (watch === undefined)
    return <p class="notice">This browser does not have the watch {id}: add it by its id and secret.</p>;
  return <Watch watch={watch} />;
}

function Watch({ watch }: { readonly watch: FollowedWatch }): JSX.Element {
  const { kept, answer, firings } = watch;
  return (
    <section aria-label="One watch">
      <Shown answer={answer} what="the watch">
        {(body) => (
          <>
            <h2>{conditionWords(body.condition)}</h2>
            <State watch={watch} body={body} />
            <Firings id={kept.id} firings={firings} />
            {body.statement !== null && <Statement id={kept.id} jws={body.statement} />}
            {body.phase !== 'ended' && <Renewal id={kept.id} />}
          </>
        )}
      </Shown>
      <p class="tools">
        <button type="button" onClick={() => void removeWatch(kept.id).then(() => go('watch'))}>
          Remove from the list
        </button>
        <span class="fine">The service goes on; without its secret it cannot be read again.</span>
      </p>
    </section>
  );
}

function State({ watch, body }: { readonly watch: FollowedWatch; readonly body: WatchAnswer }): JSX.Element {
  const { condition, values, phase_since, reason, began_at, ends_at, fired, delivery } = body;
  return (
    <dl class="terms">
      <dt>State</dt>
      <dd>
        <PhaseTag watch={watch} /> since {moment(phase_since)}
        {reason !== null && `: ${reason}`}
      </dd>
      <dt>Now</dt>
      <dd>{judgedWords(condition, values)}</dd>
      <dt>Watched</dt>
      <dd>
        from {moment(began_at)} until {moment(ends_at)}
      </dd>
      <dt>Fired</dt>
      <dd>
        {count(fired)} of {count(condition.firings)}
      </dd>
      {delivery !== null && (
        <>
          <dt>Webhook</dt>
          <dd>
            {delivery.state}, confirmed up to {count(delivery.acknowledged)}, {count(delivery.waiting)}{' '}
            waiting
            {delivery.last_error !== null && <span class="bad">; {delivery.last_error}</span>}
          </dd>
        </>
      )}
      <dt>Id</dt>
      <dd>
        <code>{watch.kept.id}</code>
      </dd>
    </dl>
  );
}

const COLUMNS: readonly Column<Firing>[] = [
  { id: 'sequence', title: 'No.', numeric: true, value: ({ sequence }) => sequence },
  {
    id: 'noted_at',
    title: 'Noted',
    value: ({ noted_at }) => noted_at,
    show: ({ noted_at }) => moment(noted_at),
  },
  { id: 'what', title: 'What', value: ({ what }) => what },
  {
    id: 'value',
    title: 'Value',
    value: ({ condition, values }) => judgedWords(condition, values),
  },
  { id: 'reason', title: 'Why', value: ({ reason }) => reason },
  {
    id: 'rows_at',
    title: 'Of data of',
    value: ({ rows_at }) => rows_at,
    show: ({ rows_at }) => moment(rows_at),
  },
];

function Firings({ id, firings }: { readonly id: string; readonly firings: readonly Firing[] }): JSX.Element {
  return (
    <Listing
      name={`firings-${id}`}
      id="firings"
      caption="What it has told"
      columns={COLUMNS}
      rows={firings}
      keyOf={({ sequence }) => String(sequence)}
      first="-sequence"
      empty="Nothing yet."
    />
  );
}

function Statement({ id, jws }: { readonly id: string; readonly jws: string }): JSX.Element {
  return (
    <details>
      <summary>The signed statement of what was watched</summary>
      <Snippet label="The statement" text={jws} />
      <button type="button" onClick={() => save(`statement-${id}.jws`, jws, 'application/jose')}>
        Save the statement
      </button>
    </details>
  );
}

/** More days by another purchase. */
function Renewal({ id }: { readonly id: string }): JSX.Element {
  const routes = useRoutes();
  return (
    <Part title="For longer">
      <Shown answer={routes} what="the routes">
        {(known) => <Spans pathOf={(path) => `${path}?renews=${id}`} routes={known} what="Renew" />}
      </Shown>
    </Part>
  );
}
