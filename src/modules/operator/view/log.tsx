import type { JSX } from 'preact';
import { useAnswer } from '../../../../web/data/answers.ts';
import { Listing } from '../../../../web/parts/listing.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { Age, Shown } from '../../../../web/parts/states.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import type { AuditEntry, OperatorLog } from '../schemas/records.ts';

const PATH = '/operator/log';

interface Line {
  readonly at: number | null;
  readonly level: number | null;
  readonly text: string;
  readonly rest: string;
  /** Lines may be equal; their place is not. */
  readonly place: number;
}

const LEVELS: readonly (readonly [from: number, name: string, state: string])[] = [
  [60, 'fatal', 'down'],
  [50, 'error', 'down'],
  [40, 'warn', 'stale'],
  [30, 'info', ''],
  [0, 'debug', ''],
];

function lineOf(text: string, place: number): Line {
  try {
    const { time, level, msg, pid: _pid, hostname: _hostname, ...rest } = JSON.parse(text);
    return {
      at: typeof time === 'number' ? time : null,
      level: typeof level === 'number' ? level : null,
      text: String(msg ?? ''),
      rest: Object.entries(rest)
        .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join(', '),
      place,
    };
  } catch {
    return { at: null, level: null, text, rest: '', place };
  }
}

const LINES: readonly Column<Line>[] = [
  {
    id: 'age',
    title: 'Age',
    value: ({ place }) => place,
    csv: ({ at }) => (at === null ? null : new Date(at).toISOString()),
    show: ({ at }) => <Age at={at} />,
  },
  {
    id: 'level',
    title: 'Level',
    value: ({ level }) => level,
    show: ({ level }) => {
      const [, name, state] = LEVELS.find(([from]) => (level ?? -1) >= from) ?? [0, '–', ''];
      return <span class={`tag ${state}`}>{name}</span>;
    },
  },
  { id: 'text', title: 'What', value: ({ text }) => text },
  {
    id: 'rest',
    title: 'Of what, and why',
    value: ({ rest }) => rest,
  },
];

/** The result of an action that was carried out. */
function outcomeOf({ decision, contracts, found }: AuditEntry): string {
  if (decision !== undefined) return `decision ${decision}, ${contracts} contracts`;
  return found === undefined ? 'done' : `found ${found}`;
}

const AUDIT: readonly Column<AuditEntry>[] = [
  { id: 'at', title: 'Age', value: ({ at }) => at, show: ({ at }) => <Age at={at} /> },
  { id: 'action', title: 'Action', value: ({ action }) => action },
  { id: 'detail', title: 'Of what', value: ({ detail }) => detail },
  { id: 'by', title: 'Asked by', value: ({ by }) => by },
  { id: 'reason', title: 'Reason', value: ({ reason }) => reason },
  {
    id: 'outcome',
    title: 'Outcome',
    value: (entry) => entry.refused ?? outcomeOf(entry),
    show: (entry) => (
      <span class={entry.refused === undefined ? '' : 'bad'}>
        {entry.refused === undefined ? outcomeOf(entry) : `refused: ${entry.refused}`}
      </span>
    ),
  },
];

/** Actions on this port, and the last lines of the log. */
export function Log(): JSX.Element {
  return (
    <Shown answer={useAnswer<OperatorLog>(PATH, 5000)} what="the log">
      {({ lines, audit }) => (
        <>
          <Part title="Done on this port">
            <Listing
              name="audit"
              id="audit"
              caption="Done on this port"
              columns={AUDIT}
              rows={audit}
              keyOf={({ request }) => request}
              first="-at"
              empty="Nothing was done on this port."
              paths={[PATH]}
            />
          </Part>
          <Part title="Last lines of the log">
            <Listing
              name="log"
              id="log"
              caption="Last lines of the log"
              columns={LINES}
              rows={lines.map(lineOf)}
              keyOf={({ place }) => String(place)}
              first="age"
              empty="Nothing has been logged."
              paths={[PATH]}
            />
          </Part>
        </>
      )}
    </Shown>
  );
}
