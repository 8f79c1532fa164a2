import type { ComponentType, JSX } from 'preact';
import { useAnswer } from '../../../../web/data/answers.ts';
import { Choices } from '../../../../web/parts/fields.tsx';
import { Figures, withUnit } from '../../../../web/parts/figures.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { SkipPast } from '../../../../web/parts/skip-past.tsx';
import { Shown } from '../../../../web/parts/states.tsx';
import { Tools } from '../../../../web/parts/tools.tsx';
import { choice, go, usePlace } from '../../../../web/place.ts';
import { SECTIONS } from '../../../../web/sections/operator.ts';
import { count, share } from '../../../../web/text/number.ts';
import { span } from '../../../../web/text/time.ts';
import type { OperatorState } from '../schemas/state.ts';
import { Budgets, Feeds, Rejects } from './feeds.tsx';
import { Identities } from './identities.tsx';
import { Log } from './log.tsx';
import { SettingsPart } from './settings.tsx';
import { TrendsPart } from './trends.tsx';
import { VenuesPart } from './venues.tsx';

/** Parts that other modules bring, by their names in the menu: they come first. */
const BROUGHT: ReadonlyMap<string, ComponentType> = new Map<string, ComponentType>(SECTIONS);

const OWN = [
  'venues',
  'feeds',
  'budgets',
  'rejects',
  'identities',
  'settings',
  'trends',
  'machine',
  'log',
] as const;
const [FIRST, ...OTHERS]: readonly string[] = [...BROUGHT.keys(), ...OWN];
const PARTS = [FIRST ?? OWN[0], ...OTHERS] as const;
const STATE = '/operator/state';

/** The service's activity for its operator, on the operator's port alone. */
export function Operator(): JSX.Element {
  const { params } = usePlace();
  const part = choice(params, 'part', PARTS);
  const Brought = BROUGHT.get(part);
  const state = useAnswer<OperatorState>(STATE, 5000);
  return (
    <>
      <div class="head">
        <SkipPast what="the choice of a part" />
        <h1>Operator</h1>
        <Choices
          label="Part"
          isLabelled={false}
          words={PARTS}
          chosen={part}
          choose={(word) => go('operator', { part: word })}
        />
        <Tools name="operator" paths={[STATE, '/metrics']} />
      </div>
      <Shown answer={state} what="the state of the service">
        {(body) => (
          <div class="stack">
            <Machine state={body} />
            {Brought !== undefined && <Brought />}
            {part === 'venues' && <VenuesPart />}
            {part === 'settings' && <SettingsPart />}
            {part === 'trends' && <TrendsPart />}
            {part === 'feeds' && <Feeds venues={body.venues} />}
            {part === 'budgets' && <Budgets budgets={body.budgets} />}
            {part === 'rejects' && <Rejects venues={body.venues} identities={body.identities} />}
            {part === 'identities' && <Identities />}
            {part === 'log' && <Log />}
            {part === 'machine' && <Details state={body} />}
          </div>
        )}
      </Shown>
    </>
  );
}

const megabytes = (bytes: number | null): string => (bytes === null ? '–' : `${count(bytes / 2 ** 20)} MB`);

const badIf = (isBad: boolean): string => (isBad ? 'bad' : '');

/** The figures to look at first. */
function Machine({ state }: { state: OperatorState }): JSX.Element {
  const { process, history, venues, overload, disks } = state;
  const bad = venues.filter(({ status }) => status !== 'live');
  const tightest = disks
    .flatMap(({ free_bytes, size_bytes }) =>
      free_bytes === null || size_bytes === null ? [] : free_bytes / size_bytes,
    )
    .sort((a, b) => a - b)[0];
  const isLate = overload.level > 0;
  const lag =
    history === null ? 'off' : history.lag_seconds === null ? '–' : span(history.lag_seconds * 1000);
  return (
    <Figures
      figures={[
        [
          'Venues not live',
          withUnit(count(bad.length), `of ${count(venues.length)}`),
          { look: badIf(bad.length > 0), about: bad.map(({ venue }) => venue).join(', ') },
        ],
        ['History lag', lag, { look: badIf(history?.ok === false) }],
        ['Event loop late', `${count(process.event_loop_lag_seconds * 1000)} ms`, { look: badIf(isLate) }],
        ['Work given up', isLate ? `level ${overload.level}` : 'none', { look: badIf(isLate) }],
        ['Memory', megabytes(process.rss_bytes)],
        ['Disk free', tightest === undefined ? '–' : `${share(tightest)} %`],
        ['Up', span(process.uptime_seconds * 1000)],
      ]}
    />
  );
}

type Line = readonly [title: string, value: string];

function historyLines(history: OperatorState['history']): readonly Line[] {
  if (history === null) return [['History', 'off']];
  const { mode, reason, backfill } = history;
  return [
    ['History', `${mode}${reason === null ? '' : `: ${reason}`}`],
    ['Rows written, waiting', `${count(history.written_rows)}, ${count(history.waiting_rows)}`],
    ['Rows lost, refused', `${count(history.lost_rows)}, ${count(history.refused_rows)}`],
    ['Minutes not sampled', count(history.skipped_samples)],
    [
      'Back-fill',
      backfill === null ? 'off' : `${count(backfill.done)} of ${count(backfill.contracts)} contracts whole`,
    ],
  ];
}

function Details({ state }: { state: OperatorState }): JSX.Element {
  const { process, history, disks, http } = state;
  const lines: readonly Line[] = [
    ['Version', `${state.version}, Node.js ${state.node}`],
    ['Heap in use', megabytes(process.heap_bytes)],
    ['CPU since start', span(process.cpu_seconds * 1000)],
    [
      'Event loop busy',
      `${share(process.event_loop_active_seconds / Math.max(1, process.uptime_seconds))} %`,
    ],
    ['Why work is given up', state.overload.reason ?? 'it is not'],
    ['Open exchanges', count(http.open)],
    ['Kept answers', `${count(http.kept.answers)}, ${megabytes(http.kept.bytes)}`],
    ...disks.map(({ folder, free_bytes, size_bytes }): [string, string] => [
      `Disk of ${folder}`,
      `${megabytes(free_bytes)} free of ${megabytes(size_bytes)}`,
    ]),
    ...historyLines(history),
  ];
  return (
    <Part title="Machine and history">
      <dl class="terms">
        {lines.map(([title, value]) => (
          <>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
    </Part>
  );
}
