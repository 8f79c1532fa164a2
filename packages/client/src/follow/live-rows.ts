import type { FollowedRows, FollowedTopic, StreamedEvent } from './options.ts';
import type { FollowState } from './parts.ts';

/** The name of a row, as `gone` has it. */
const nameOf = (row: FollowedRows[FollowedTopic]): string => {
  if (!('venue' in row)) return row.canonical_id;
  const name = `${row.venue} ${row.canonical_id}`;
  return 'size_usd' in row ? `${name} ${row.size_usd}` : name;
};

/** Holds the rows of a stream as its events leave them, and sees to it that none of these is missing. */
export class LiveRows {
  readonly #rows: FollowState['rows'];
  #number = 0;
  /** Id of the last event; undefined before the first, and after a gap: then all rows are asked for. */
  lastId: string | undefined;

  constructor(rows: FollowState['rows']) {
    this.#rows = rows;
  }

  /** Takes an event. @returns false where one before it is missing, and nothing was taken */
  take(event: StreamedEvent): boolean {
    const number = Number(event.id.split('-').at(-1));
    if (number !== this.#number + 1) {
      this.#number = 0;
      this.lastId = undefined;
      return false;
    }
    this.#number = number;
    this.lastId = event.id;
    if ('topics' in event) this.#change(event);
    return true;
  }

  #change({ event, topics }: Extract<StreamedEvent, { topics: object }>): void {
    const all: Readonly<Record<string, Map<string, object>>> = this.#rows;
    for (const [topic, { rows, gone }] of Object.entries(topics)) {
      const held = all[topic];
      if (event === 'snapshot') held?.clear();
      for (const name of gone) held?.delete(name);
      for (const row of rows) held?.set(nameOf(row), row);
    }
  }
}
