import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChangeLog, type StreamRow } from './change-log.ts';

type Rows = Readonly<Record<string, number>>;

const rowsOf = (rows: Rows): StreamRow[] =>
  Object.entries(rows).map(([key, n]) => ({
    key,
    version: n,
    text: () => JSON.stringify({ key, n }),
  }));

interface Event {
  readonly name: string;
  readonly id: string;
  readonly data: {
    readonly from?: number;
    readonly to?: number;
    readonly rows: readonly { readonly key: string; readonly n: number }[];
    readonly gone?: readonly string[];
  };
}

function eventOf(frame: Buffer): Event {
  const [, id = '', name = '', data = ''] =
    /^id: (.*)\nevent: (.*)\ndata: (.*)\n\n$/.exec(frame.toString()) ?? [];
  return { name, id, data: JSON.parse(data) };
}

/** The rows that a reader holds after an event. */
function held(before: Rows, { name, data }: Event): Rows {
  const rows = new Map(name === 'snapshot' ? [] : Object.entries(before));
  for (const { key, n } of data.rows) rows.set(key, n);
  for (const key of data.gone ?? []) rows.delete(key);
  return Object.fromEntries(rows);
}

const market = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(3));

describe('a log of changes', () => {
  it('gives a reader that comes back the present rows, whatever it missed', () => {
    fc.assert(
      fc.property(
        fc.array(market, { minLength: 1, maxLength: 20 }),
        fc.nat(20),
        fc.nat(6),
        (looks, away, kept) => {
          const log = new ChangeLog('run', kept);
          const frames: Event[] = [];
          for (const look of looks) {
            const change = log.look(rowsOf(look));
            if (change !== undefined) frames.push(eventOf(change.frame));
          }
          const seen = frames.slice(0, away);
          const before = seen.reduce(held, looks[0] ?? {});
          const id = seen.at(-1)?.id ?? 'run-0';
          const resumption = log.resume(id);
          const expected = looks.at(-1) ?? {};
          if ('snapshot' in resumption) {
            expect(resumption.snapshot).toBe('too_old');
            expect(held(before, eventOf(log.snapshot('too_old')))).toEqual(expected);
            return;
          }
          const missed = resumption.changes.map(({ frame }) => eventOf(frame));
          expect(missed.map((event) => event.id)).toEqual(frames.slice(away).map((event) => event.id));
          expect(missed.reduce(held, before)).toEqual(expected);
          if (resumption.changes.length === 0) return;
          const one = eventOf(log.conflated(resumption.changes));
          expect(held(before, one)).toEqual(expected);
          expect([one.data.from, one.data.to]).toEqual([
            resumption.changes[0]?.sequence,
            resumption.changes.at(-1)?.sequence,
          ]);
        },
      ),
    );
  });

  it('keeps no more changed rows than its bound, but for the latest change', () => {
    const log = new ChangeLog('run', 5);
    log.look(rowsOf({ a: 0, b: 0 }));
    for (let n = 1; n <= 10; n += 1) log.look(rowsOf({ a: n, b: n }));
    expect(log.since(8)?.map(({ sequence }) => sequence)).toEqual([9, 10]);
    expect(log.since(7)).toBeUndefined();
  });

  it.each([
    ['none', undefined, 'start'],
    ['one of another run', 'other-1', 'unknown_id'],
    ['one that was never given', 'run-9', 'unknown_id'],
    ['no id at all', 'run-x', 'unknown_id'],
  ])('answers %s with a snapshot', (_what, id, snapshot) => {
    const log = new ChangeLog('run', 10);
    log.look(rowsOf({ a: 1 }));
    expect(log.resume(id)).toEqual({ snapshot });
  });

  it('that has let go of its rows resumes from no id before', () => {
    const log = new ChangeLog('run', 10);
    log.look(rowsOf({ a: 1 }));
    log.look(rowsOf({ a: 2 }));
    log.forget();
    log.look(rowsOf({ b: 1 }));
    expect(log.resume('run-1')).toEqual({ snapshot: 'too_old' });
    expect(held({ a: 2 }, eventOf(log.snapshot('too_old')))).toEqual({ b: 1 });
  });
});
