import { eventText } from '../../api/http/event-sink.ts';

/** A row as a stream shows it. */
export interface StreamRow {
  /** Names it among all rows of the stream. */
  readonly key: string;
  /** Another one where the row has changed. */
  readonly version: unknown;
  /** Its JSON. */
  readonly text: () => string;
}

/** Rows that changed between two looks; undefined = the row is gone. Numbers have no gaps. */
export interface Change {
  readonly sequence: number;
  readonly rows: ReadonlyMap<string, string | undefined>;
  readonly frame: Buffer;
}

/**
 * A reader gets all rows because it is new, its id is not of this run, the changes since its id are no longer
 * kept, or it read too slowly for them.
 */
export type SnapshotReason = 'start' | 'unknown_id' | 'too_old' | 'behind';

/** The events that a reader with this id must get. */
export type Resumption = { readonly changes: readonly Change[] } | { readonly snapshot: SnapshotReason };

const event = (name: string, id: string, data: string): Buffer => Buffer.from(eventText(name, data, id));

function rowsAndGone(rows: ReadonlyMap<string, string | undefined>): string {
  const shown = [...rows.values()].filter((text) => text !== undefined);
  const gone = [...rows].flatMap(([key, text]) => (text === undefined ? [key] : []));
  return `"rows":[${shown.join(',')}],"gone":${JSON.stringify(gone)}`;
}

export const snapshotData = (reason: SnapshotReason, rows: Iterable<string>): string =>
  `{"reason":"${reason}","rows":[${[...rows].join(',')}]}`;

/**
 * The rows of a stream as they were last looked at, and the latest changes of them: a ring bounded by rows. Ids are
 * `<run>-<sequence>`, so that one of an earlier run is not taken for one of this.
 */
export class ChangeLog {
  readonly #run: string;
  readonly #maxRows: number;
  readonly #held = new Map<string, { readonly version: unknown; readonly text: string }>();
  readonly #changes: Change[] = [];
  #changedRows = 0;
  /** The last sequence given. */
  #last = 0;
  /** The lowest sequence whose later changes are all kept. */
  #floor = 0;
  #empty = true;

  /** @param maxRows changed rows that are kept; the latest change is kept however large */
  constructor(run: string, maxRows: number) {
    this.#run = run;
    this.#maxRows = maxRows;
  }

  get last(): number {
    return this.#last;
  }

  /** Takes the rows as they stand; undefined where none has changed. The first look is no change. */
  look(rows: Iterable<StreamRow>): Change | undefined {
    const changed = this.#take(rows);
    if (this.#empty) {
      this.#empty = false;
      return undefined;
    }
    if (changed.size === 0) return undefined;
    this.#last += 1;
    const frame = event('change', this.#id(this.#last), `{${rowsAndGone(changed)}}`);
    const change = { sequence: this.#last, rows: changed, frame };
    this.#keep(change);
    return change;
  }

  /** Lets go of all rows; ids given so far can no longer be resumed from. */
  forget(): void {
    this.#held.clear();
    this.#changes.length = 0;
    this.#changedRows = 0;
    this.#last += 1;
    this.#floor = this.#last;
    this.#empty = true;
  }

  /** @param id as a reader sent it */
  resume(id: string | undefined): Resumption {
    if (id === undefined) return { snapshot: 'start' };
    const [run, digits = ''] = id.split('-', 2);
    const sequence = /^\d{1,15}$/.test(digits) ? Number(digits) : Number.POSITIVE_INFINITY;
    if (run !== this.#run || sequence > this.#last) return { snapshot: 'unknown_id' };
    const changes = this.since(sequence);
    return changes === undefined ? { snapshot: 'too_old' } : { changes };
  }

  /** Changes after a sequence, oldest first; undefined where they are no longer all kept. */
  since(sequence: number): readonly Change[] | undefined {
    if (sequence < this.#floor) return undefined;
    const first = this.#changes[0]?.sequence ?? this.#last + 1;
    return this.#changes.slice(sequence + 1 - first);
  }

  snapshot(reason: SnapshotReason): Buffer {
    const texts = [...this.#held.values()].map(({ text }) => text);
    return event('snapshot', this.#id(this.#last), snapshotData(reason, texts));
  }

  /** Several changes as one: of each row the latest. Says which sequences it stands for. */
  conflated(changes: readonly Change[]): Buffer {
    const rows = new Map(changes.flatMap((change) => [...change.rows]));
    const from = changes[0]?.sequence ?? this.#last;
    const to = changes.at(-1)?.sequence ?? this.#last;
    return event('conflated', this.#id(to), `{"from":${from},"to":${to},${rowsAndGone(rows)}}`);
  }

  #id(sequence: number): string {
    return `${this.#run}-${sequence}`;
  }

  #take(rows: Iterable<StreamRow>): Map<string, string | undefined> {
    const changed = new Map<string, string | undefined>();
    const seen = new Set<string>();
    for (const { key, version, text } of rows) {
      seen.add(key);
      if (this.#held.get(key)?.version === version) continue;
      const next = text();
      changed.set(key, next);
      this.#held.set(key, { version, text: next });
    }
    if (seen.size === this.#held.size) return changed;
    for (const key of this.#held.keys()) if (!seen.has(key)) changed.set(key, undefined);
    for (const [key, text] of changed) if (text === undefined) this.#held.delete(key);
    return changed;
  }

  #keep(change: Change): void {
    this.#changes.push(change);
    this.#changedRows += change.rows.size;
    while (this.#changedRows > this.#maxRows && this.#changes.length > 1) {
      const oldest = this.#changes.shift();
      this.#changedRows -= oldest?.rows.size ?? 0;
      this.#floor = oldest?.sequence ?? this.#floor;
    }
  }
}
