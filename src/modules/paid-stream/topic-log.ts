import { groupBy } from '../../runtime/group-by.ts';
import type { Filter, Told } from './selection.ts';

/** A row as a topic has it in one look. */
export interface TopicRow extends Told {
  /** Names it among all rows of the topic. */
  readonly key: string;
  /** The same object while nothing of the row can have changed. */
  readonly source: unknown;
  /** Its values as JSON: where these are the same, it has not changed. */
  readonly values: () => string;
  /** Its JSON, as events have it. */
  readonly text: (values: string) => string;
}

interface HeldRow extends Told {
  readonly key: string;
  source: unknown;
  values: string;
  text: string;
}

/** A row that changed; undefined text = it is gone. */
interface ChangedRow extends Told {
  readonly key: string;
  readonly text: string | undefined;
}

/** Rows that changed in one look. */
interface TopicChange {
  readonly look: number;
  readonly size: number;
  readonly byAsset: ReadonlyMap<string, readonly ChangedRow[]>;
}

/** Rows as an event shows them. */
export interface ShownRows {
  readonly texts: readonly string[];
  readonly gone: readonly string[];
}

/**
 * The rows of a topic as they were last looked at, and the latest changes of them: a ring bounded by rows. Each row is written once
 * for all readers, and is found by its asset.
 */
export class TopicLog {
  readonly #maxRows: number;
  readonly #held = new Map<string, HeldRow>();
  readonly #byAsset = new Map<string, Set<HeldRow>>();
  readonly #changes: TopicChange[] = [];
  #changedRows = 0;
  /** The lowest look whose later changes are all kept; undefined while nothing is looked at. */
  #floor: number | undefined;

  /** @param maxRows changed rows that are kept; the latest change is kept however large */
  constructor(maxRows: number) {
    this.#maxRows = maxRows;
  }

  /** Takes the rows as they stand. The first look is no change. */
  look(rows: Iterable<TopicRow>, look: number): void {
    const changed = this.#take(rows);
    if (this.#floor === undefined) {
      this.#floor = look;
      return;
    }
    if (changed.length === 0) return;
    this.#changes.push({ look, size: changed.length, byAsset: groupBy(changed, ({ asset }) => asset) });
    this.#changedRows += changed.length;
    while (this.#changedRows > this.#maxRows && this.#changes.length > 1) {
      const oldest = this.#changes.shift();
      this.#changedRows -= oldest?.size ?? 0;
      this.#floor = oldest?.look ?? this.#floor;
    }
  }

  /** Lets go of all rows; looks so far can no longer be gone on from. */
  forget(): void {
    this.#held.clear();
    this.#byAsset.clear();
    this.#changes.length = 0;
    this.#changedRows = 0;
    this.#floor = undefined;
  }

  /** True where a filter takes any row. */
  has(filter: Filter): boolean {
    for (const row of this.#rowsOf(filter)) if (filter.takes(row)) return true;
    return false;
  }

  /** All rows that a filter takes. */
  snapshot(filter: Filter): readonly string[] {
    const texts: string[] = [];
    for (const row of this.#rowsOf(filter)) if (filter.takes(row)) texts.push(row.text);
    return texts;
  }

  /** Changes after a look, of each row the latest; undefined where they are no longer all kept. */
  since(look: number, filter: Filter): ShownRows | undefined {
    if (this.#floor === undefined || look < this.#floor) return undefined;
    const latest = new Map<string, string | undefined>();
    for (let at = this.#firstAfter(look); at < this.#changes.length; at += 1) {
      const { byAsset } = this.#changes[at] as TopicChange;
      for (const rows of listsOf(byAsset, filter.assets))
        for (const row of rows) if (filter.takes(row)) latest.set(row.key, row.text);
    }
    return {
      texts: [...latest.values()].filter((text) => text !== undefined),
      gone: [...latest].flatMap(([key, text]) => (text === undefined ? [key] : [])),
    };
  }

  /** Most readers have missed the latest change alone. */
  #firstAfter(look: number): number {
    let at = this.#changes.length;
    while (at > 0 && (this.#changes[at - 1]?.look ?? 0) > look) at -= 1;
    return at;
  }

  *#rowsOf({ assets }: Filter): Iterable<HeldRow> {
    for (const rows of listsOf(this.#byAsset, assets)) yield* rows;
  }

  #take(rows: Iterable<TopicRow>): readonly ChangedRow[] {
    const changed: ChangedRow[] = [];
    const seen = new Set<string>();
    for (const row of rows) {
      seen.add(row.key);
      const held = this.#held.get(row.key);
      if (held?.source === row.source) continue;
      const values = row.values();
      if (held?.values === values) {
        held.source = row.source;
        continue;
      }
      // For streams of contracts in its former currency alone it is gone.
      if (held !== undefined && held.currency !== row.currency) changed.push(this.#drop(held));
      changed.push(this.#hold(held, row, values));
    }
    if (seen.size === this.#held.size) return changed;
    for (const held of [...this.#held.values()]) if (!seen.has(held.key)) changed.push(this.#drop(held));
    return changed;
  }

  #hold(held: HeldRow | undefined, row: TopicRow, values: string): ChangedRow {
    const { key, asset, source } = row;
    const text = row.text(values);
    const next: HeldRow = { ...nameOf(row), source, values, text };
    if (held !== undefined) this.#drop(held);
    this.#held.set(key, next);
    const beside = this.#byAsset.get(asset);
    if (beside === undefined) this.#byAsset.set(asset, new Set([next]));
    else beside.add(next);
    return next;
  }

  #drop(held: HeldRow): ChangedRow {
    const { key, asset } = held;
    this.#held.delete(key);
    const beside = this.#byAsset.get(asset);
    beside?.delete(held);
    if (beside?.size === 0) this.#byAsset.delete(asset);
    return { ...nameOf(held), text: undefined };
  }
}

const nameOf = ({ key, asset, venue, currency, sizeUsd }: Told & { readonly key: string }) => ({
  key,
  asset,
  venue,
  currency,
  ...(sizeUsd !== undefined && { sizeUsd }),
});

function* listsOf<List>(
  byAsset: ReadonlyMap<string, List>,
  assets: readonly string[] | undefined,
): Iterable<List> {
  if (assets === undefined) {
    yield* byAsset.values();
    return;
  }
  for (const asset of assets) {
    const found = byAsset.get(asset);
    if (found !== undefined) yield found;
  }
}
