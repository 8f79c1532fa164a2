import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { useAnswer } from '../../../../web/data/answers.ts';
import { type Figure, Figures } from '../../../../web/parts/figures.tsx';
import { Listing } from '../../../../web/parts/listing.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { Shown } from '../../../../web/parts/states.tsx';
import { go, linkTo, usePlace } from '../../../../web/place.ts';
import { count, rounded } from '../../../../web/text/number.ts';
import { serverNow } from '../../../../web/text/time.ts';
import type { OperatorWatches } from '../schemas/operator-watches.ts';
import { DELIVERY_COLUMNS, hasTrouble, RULE_COLUMNS, WATCH_COLUMNS } from './operator-columns.tsx';

const PATH = '/operator/watches';
const EVERY_MS = 5000;
const PART = 'watches';

/** All watches of the service: what they are, what their deliveries lack, the operator's rules, and the load. */
export function WatchesPart(): JSX.Element {
  const { params } = usePlace();
  const q = params.get('q') ?? '';
  const after = params.get('after') ?? '';
  const asked = new URLSearchParams(Object.entries({ q, after }).filter(([, text]) => text !== ''));
  const path = asked.size === 0 ? PATH : `${PATH}?${asked}`;
  return (
    <Shown answer={useAnswer<OperatorWatches>(path, EVERY_MS)} what="the watches">
      {(found) => (
        <>
          <Load found={found} />
          <Deliveries found={found} />
          <Rules found={found} />
          <List found={found} q={q} after={after} path={path} />
        </>
      )}
    </Shown>
  );
}

/** A number that grows, a second, since the first time that this part was read; undefined at that time. */
function useRate(total: number): number | undefined {
  const first = useRef({ total, at: serverNow() });
  const seconds = (serverNow() - first.current.at) / 1000;
  return seconds < 1 || total < first.current.total ? undefined : (total - first.current.total) / seconds;
}

function Load({ found }: { readonly found: OperatorWatches }): JSX.Element {
  const { holds, held, total, questions, counts } = found;
  const { looks = 0, firings = 0, crowded = 0, failures = 0 } = counts;
  const rate = useRate(looks);
  const figures: readonly Figure[] = [
    [
      'Watches held here',
      holds ? count(held) : 'by another process',
      { about: 'Of one host, one process holds them' },
    ],
    ['Found', count(total)],
    ['Questions', count(questions), { about: 'Watches of one condition share a question' }],
    ['Looks a second', rounded(rate), { about: 'Since this part is shown' }],
    ['Firings', count(firings), { about: 'Since the start of the process' }],
    [
      'Turns too full',
      count(crowded),
      { about: 'Looks were left for the next turn', look: crowded > 0 ? 'bad' : '' },
    ],
    ['Looks that failed', count(failures), { look: failures > 0 ? 'bad' : '' }],
  ];
  return (
    <Part title="Load of watches">
      <Figures label="Load of watches" figures={figures} />
    </Part>
  );
}

function Deliveries({ found }: { readonly found: OperatorWatches }): JSX.Element {
  return (
    <Part title="Deliveries that fail">
      <Listing
        name="watch-deliveries"
        id="deliveries"
        caption="Deliveries that fail"
        columns={DELIVERY_COLUMNS}
        rows={found.watches.filter(hasTrouble)}
        keyOf={({ id }) => id}
        empty="None of those that are listed."
        paths={[PATH]}
      />
    </Part>
  );
}

function Rules({ found }: { readonly found: OperatorWatches }): JSX.Element {
  return (
    <Part title="Rules of the operator">
      <Listing
        name="watch-rules"
        id="rules"
        caption="Rules of the operator"
        columns={RULE_COLUMNS}
        rows={found.rules}
        keyOf={({ name }) => name}
        first="-fault"
        empty="None: WATCH_RULES names no file."
        paths={[PATH]}
      />
    </Part>
  );
}

interface ListProps {
  readonly found: OperatorWatches;
  readonly q: string;
  /** Id behind which this page begins; '' = the first page. */
  readonly after: string;
  readonly path: string;
}

function List({ found, q, after, path }: ListProps): JSX.Element {
  const { watches } = found;
  const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    go('operator', { part: PART, q: String(new FormData(event.currentTarget).get('q') ?? '').trim() });
  };
  return (
    <Part title="Watches">
      {/* Made again for another search, so that its field has what is in the address. */}
      <form class="bar" aria-label="Search" key={q} onSubmit={submit}>
        <label>
          Id, payer, rule, or a part of the condition
          <input name="q" type="search" size={34} autocomplete="off" spellcheck={false} defaultValue={q} />
        </label>
        <button type="submit">Search</button>
        {q !== '' && <a href={linkTo('operator', { part: PART })}>All watches</a>}
      </form>
      <Pages found={found} q={q} after={after} />
      <Listing
        name="watches"
        id="all-watches"
        caption="All watches"
        columns={WATCH_COLUMNS}
        rows={watches}
        keyOf={({ id }) => id}
        first="-began_at"
        empty={q === '' ? 'Nothing is watched.' : 'None is so.'}
        paths={[path]}
      />
    </Part>
  );
}

/** The way to the other pages of a list that has several. */
function Pages({ found, q, after }: Omit<ListProps, 'path'>): JSX.Element | null {
  const { watches, total, next } = found;
  if (watches.length >= total) return null;
  return (
    <p class="notice">
      {count(watches.length)} of {count(total)}, the newest first; a search looks at all of them.{' '}
      {after !== '' && <a href={linkTo('operator', { part: PART, q })}>The newest</a>}{' '}
      {next !== null && <a href={linkTo('operator', { part: PART, q, after: next })}>Older ones</a>}
    </p>
  );
}
