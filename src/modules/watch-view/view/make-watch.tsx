import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { WatchKindsAnswer } from '../../../../packages/client/src/routes.ts';
import { useAnswer } from '../../../../web/data/answers.ts';
import { type RouteEntry, useRoutes } from '../../../../web/data/service.ts';
import { Part } from '../../../../web/parts/part.tsx';
import { Shown } from '../../../../web/parts/states.tsx';
import { change, usePlace } from '../../../../web/place.ts';
import { Parameters } from '../../../../web/views/buy/parameters.tsx';
import { askedIn, type Kind, LEVELS, pathWith, WEBHOOK } from './asked.ts';
import { BuyWatch } from './buy-watch.tsx';
import { TriedCondition } from './tried-condition.tsx';

const CHECK = '/v1/watch/check';
const NONE: readonly RouteEntry[] = [];

/** Fills in a condition, tries it, and buys a watch of it. */
export function MakeWatch(): JSX.Element {
  const routes = useRoutes();
  const known = routes.state === 'ready' ? routes.body : NONE;
  const check = known.find(({ path }) => path === CHECK);
  return (
    <Part title="Make a watch">
      <p class="fine">
        A condition over one field of one answer. You are told when it holds: here, by a webhook, or by
        reading it. The condition is tried free.
      </p>
      <Shown answer={useAnswer<WatchKindsAnswer>('/v1/watch/kinds')} what="the kinds of conditions">
        {({ kinds }) => (
          <Shown answer={routes} what="the routes">
            {() =>
              check === undefined ? (
                <p class="empty">This service watches nothing.</p>
              ) : (
                <Making kinds={kinds} check={check} routes={known} />
              )
            }
          </Shown>
        )}
      </Shown>
    </Part>
  );
}

interface MakingProps {
  readonly kinds: readonly Kind[];
  /** The route that tries a condition. */
  readonly check: RouteEntry;
  readonly routes: readonly RouteEntry[];
}

function Making({ kinds, check, routes }: MakingProps): JSX.Element | null {
  const { params } = usePlace();
  const [webhook, setWebhook] = useState('');
  const meant = params.get('id');
  // A choice among assets of one ticker is the asset of the condition.
  useEffect(() => {
    if (meant !== null) change({ 'p.ticker': meant, id: undefined });
  }, [meant]);
  const kind = kinds.find((each) => each.kind === params.get('p.kind')) ?? kinds[0];
  if (kind === undefined) return null;
  const asked = askedIn(kind, check, params);
  const path = pathWith(CHECK, asked, webhook);
  return (
    <div class="counter">
      <section class="choose" aria-label="The condition">
        <KindChoice kinds={kinds} chosen={kind} />
        <Parameters key={kind.kind} route={{ ...check, parameters: asked.fields }} params={params} />
        <WebhookField route={check} value={webhook} set={setWebhook} />
      </section>
      <section class="call" aria-label="The watch">
        {asked.missing.length > 0 ? (
          <p class="notice">
            Needed first: <strong>{asked.missing.join(', ')}</strong>
          </p>
        ) : (
          <>
            <TriedCondition path={path} />
            <BuyWatch asked={asked} webhook={webhook} routes={routes} />
          </>
        )}
      </section>
    </div>
  );
}

const withoutLevels = Object.fromEntries(LEVELS.map((name) => [`p.${name}`, undefined]));

function KindChoice({ kinds, chosen }: { kinds: readonly Kind[]; chosen: Kind }): JSX.Element {
  return (
    <>
      <label class="wide">
        What is watched
        <select
          value={chosen.kind}
          onChange={(event) => change({ ...withoutLevels, 'p.kind': event.currentTarget.value })}
        >
          {kinds.map(({ kind }) => (
            <option key={kind} value={kind}>
              {kind.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
      </label>
      <p class="fine">
        {chosen.field} of {chosen.product}, {chosen.unit}
      </p>
    </>
  );
}

/** Stays out of the address of the page: who knows it can post there. */
function WebhookField(props: {
  readonly route: RouteEntry;
  readonly value: string;
  readonly set: (text: string) => void;
}): JSX.Element | null {
  const { route, value, set } = props;
  const known = route.parameters.find(({ name }) => name === WEBHOOK);
  if (known === undefined) return null;
  return (
    <div class="parameters">
      <div>
        <label htmlFor="watch-webhook">webhook</label>
        <input
          id="watch-webhook"
          type="url"
          autocomplete="off"
          spellcheck={false}
          value={value}
          onInput={(event) => set(event.currentTarget.value)}
          aria-describedby="about-watch-webhook"
        />
        <p class="fine" id="about-watch-webhook">
          {known.description}
        </p>
      </div>
    </div>
  );
}
