import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useRoutes } from '../../../../web/data/service.ts';
import { Part } from '../../../../web/parts/part.tsx';
import { Age, Loading } from '../../../../web/parts/states.tsx';
import { type Column, Table } from '../../../../web/parts/table.tsx';
import { linkTo } from '../../../../web/place.ts';
import { UNKNOWN } from '../../../../web/text/number.ts';
import { moment, serverNow } from '../../../../web/text/time.ts';
import { AddWatch } from './add-watch.tsx';
import { conditionWords, firingWords, judgedWords } from './condition-words.ts';
import { useMyWatches } from './going-on.ts';
import { Notices } from './notices-choice.tsx';
import { WalletWatches } from './wallet-watches.tsx';
import type { FollowedWatch } from './watch-follower.ts';

const bodyOf = ({ answer }: FollowedWatch) => (answer.state === 'ready' ? answer.body : undefined);

const BY_WALLET = '/v1/watches';

/** The state of a watch in one word; of one that cannot be read why. */
export function phaseWords({ answer, kept }: FollowedWatch): string {
  if (answer.state === 'ready') return answer.body.phase;
  if (answer.state === 'failed')
    return kept.readsUntil !== undefined && kept.readsUntil <= serverNow() ? 'sign again' : answer.title;
  return answer.state === 'loading' ? 'reading' : 'no answer';
}

const LOOKS: Readonly<Record<string, string>> = {
  fired: 'live',
  unknown: 'stale',
  ended: '',
  armed: '',
  holding: '',
};

/** The state of a watch in its colour. */
export function PhaseTag({ watch }: { readonly watch: FollowedWatch }): JSX.Element {
  const words = phaseWords(watch);
  return <span class={`tag ${LOOKS[words] ?? 'down'}`}>{words}</span>;
}

const lastFiring = ({ firings }: FollowedWatch) => firings.at(-1);

const COLUMNS: readonly Column<FollowedWatch>[] = [
  {
    id: 'condition',
    title: 'Condition',
    value: ({ kept }) => (kept.condition === undefined ? kept.id : conditionWords(kept.condition)),
    show: (watch) => {
      const { kept } = watch;
      const condition = bodyOf(watch)?.condition ?? kept.condition;
      return (
        <a href={linkTo('watch', { watch: kept.id })}>
          {condition === undefined ? kept.id : conditionWords(condition)}
        </a>
      );
    },
  },
  { id: 'state', title: 'State', value: phaseWords, show: (watch) => <PhaseTag watch={watch} /> },
  {
    id: 'now',
    title: 'Now',
    value: (watch) => {
      const body = bodyOf(watch);
      return body === undefined ? null : judgedWords(body.condition, body.values);
    },
  },
  {
    id: 'last',
    title: 'Last told',
    value: (watch) => lastFiring(watch)?.noted_at,
    show: (watch) => {
      const last = lastFiring(watch);
      if (last === undefined) return UNKNOWN;
      return (
        <>
          {last.what}, <Age at={last.noted_at} /> ago
        </>
      );
    },
  },
  {
    id: 'ends',
    title: 'Watched until',
    value: (watch) => bodyOf(watch)?.ends_at,
    show: (watch) => moment(bodyOf(watch)?.ends_at),
  },
  {
    id: 'delivery',
    title: 'Webhook',
    value: (watch) => bodyOf(watch)?.delivery?.state ?? null,
  },
  {
    id: 'heard',
    title: 'Heard',
    value: ({ isLive }) => (isLive ? 'at once' : 'every 10 s'),
  },
];

/** The watches whose secrets this browser has. */
export function MyWatches(): JSX.Element {
  const watches = useMyWatches();
  const routes = useRoutes();
  return (
    <Part title="My watches">
      <Notices />
      {watches === undefined && <Loading what="this browser's watches" />}
      {watches === 'unkept' && (
        <p class="notice">This browser keeps nothing for this page: watches are not listed here.</p>
      )}
      {Array.isArray(watches) && <List watches={watches} />}
      <AddWatch />
      <WalletWatches
        isServed={routes.state === 'ready' ? routes.body.some(({ path }) => path === BY_WALLET) : undefined}
      />
    </Part>
  );
}

function List({ watches }: { readonly watches: readonly FollowedWatch[] }): JSX.Element {
  return (
    <>
      <LastHeard watches={watches} />
      <Table
        id="watches"
        caption="My watches"
        columns={COLUMNS}
        rows={watches}
        keyOf={({ kept }) => kept.id}
        empty="None: a watch that is made here, or added by its id and secret, is listed here. The list is in this browser alone."
      />
    </>
  );
}

/** Reads aloud what has just been told. */
function LastHeard({ watches }: { readonly watches: readonly FollowedWatch[] }): JSX.Element {
  const [since] = useState(() => new Map(watches.map(({ kept, firings }) => [kept.id, firings.length])));
  const [said, setSaid] = useState('');
  useEffect(() => {
    for (const { kept, firings, answer } of watches) {
      const before = since.get(kept.id);
      if (answer.state === 'ready') since.set(kept.id, firings.length);
      const last = firings.at(-1);
      if (before !== undefined && before < firings.length && last !== undefined) setSaid(firingWords(last));
    }
  }, [watches]);
  return <p role="status">{said}</p>;
}
