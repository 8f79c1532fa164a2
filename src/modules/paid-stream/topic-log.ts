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
  readonly values: string;
  readonly text: string;
  /** The look in which it was last new or another. */
  readonly changedAt: number;
}

/** The rows of an asset. */
interface AssetRows {
  readonly rows: Set<HeldRow>;
  /** The last look in which any of them was new or another. */
  changedAt: number;
}

interface GoneRow extends Told {
  readonly key: string;
}

/** Rows that went in one look. */
interface Gone {
  readonly look: number;
  readonly size: number;
  readonly byAsset: ReadonlyMap<string, readonly GoneRow[]>;
}

/** A row that is new or another. */
interface Taken {
  readonly row: TopicRow;
  readonly values: string;
  readonly text: string;
}

/** Rows as they were read in a look, before any of it counts. */
interface Read {
  /** Keys of the rows that are there. */
  readonly seen: ReadonlySet<string>;
  readonly taken: readonly Taken[];
}

/** Rows as an event shows them. */
export interface ShownRows {
  readonly texts: readonly string[];
  readonly gone: readonly string[];
}

/**
 * The rows of a topic as they were last looked at, each with the look of its last change, and the names of those that went: a ring
 * bounded by rows. So what changed since any look is known without what was in between. Each row is written once for all readers, and
 * is found by its asset.
 */
export class TopicLog {
  readonly #mostGone: number;
  readonly #onFault: (cause: unknown) => void;
  readonly #held = new Map<string, HeldRow>();
  readonly #byAsset = new Map<string, AssetRows>();
  readonly #gone: Gone[] = [];
  #goneRows = 0;
  /** The lowest look since which all is known; undefined while nothing is looked at. */
  #floor: number | undefined;
  #isFailed = false;

  /**
   * @param mostGone rows that went which are kept; the latest of them are kept however many
   * @param onFault hears of a row that could not be written, which is left out then, and of rows that could not be read
   */
  constructor(mostGone: number, onFault: (cause: unknown) => void) {
    this.#mostGone = mostGone;
    this.#onFault = onFault;
  }

  /** Takes the rows as they stand; all of them stay as they were where they cannot be read. The first look is no change. */
  look(rows: Iterable<TopicRow>, look: number): void {
    const read = this.#read(rows);
    if (read === undefined) return;
    const gone = this.#take(read, look);
    if (this.#held.size > read.seen.size)
      for (const held of [...this.#held.values()]) if (!read.seen.has(held.key)) gone.push(this.#drop(held));
    this.#keep(gone, look);
    this.#floor ??= look;
  }

  /** Takes rows beside those that are there. */
  add(rows: Iterable<TopicRow>, look: number): void {
    const read = this.#read(rows);
    if (read !== undefined) this.#keep(this.#take(read, look), look);
  }

  /** True where a filter takes any row, and these could be read. */
  has(filter: Filter): boolean {
    if (this.#isFailed) return false;
    for (const { rows } of this.#listsOf(filter)) for (const row of rows) if (filter.takes(row)) return true;
    return false;
  }

  /** All rows that a filter takes. */
  snapshot(filter: Filter): readonly string[] {
    return this.#changedAfter(Number.NEGATIVE_INFINITY, filter);
  }

  /** Changes after a look, of each row the latest; undefined where not all is known since then. */
  since(look: number, filter: Filter): ShownRows | undefined {
    if (this.#floor === undefined || look < this.#floor) return undefined;
    const gone = new Set<string>();
    for (let at = this.#firstGoneAfter(look); at < this.#gone.length; at += 1) {
      const { byAsset } = this.#gone[at] as Gone;
      for (const rows of listsOf(byAsset, filter.assets))
        for (const row of rows) if (filter.takes(row) && !this.#isShown(row.key, filter)) gone.add(row.key);
    }
    return { texts: this.#changedAfter(look, filter), gone: [...gone] };
  }

  /** True of a row that has come back, or is in another currency that the filter takes. */
  #isShown(key: string, filter: Filter): boolean {
    const held = this.#held.get(key);
    return held !== undefined && filter.takes(held);
  }

  #changedAfter(look: number, filter: Filter): readonly string[] {
    const texts: string[] = [];
    for (const { rows, changedAt } of this.#listsOf(filter)) {
      if (changedAt <= look) continue;
      for (const row of rows) if (row.changedAt > look && filter.takes(row)) texts.push(row.text);
    }
    return texts;
  }

  #firstGoneAfter(look: number): number {
    let at = this.#gone.length;
    while (at > 0 && (this.#gone[at - 1]?.look ?? 0) > look) at -= 1;
    return at;
  }

  #listsOf({ assets }: Filter): Iterable<AssetRows> {
    return listsOf(this.#byAsset, assets);
  }

  /** Reads all rows before anything is taken: a fault in between must not lose the changes before it. */
  #read(rows: Iterable<TopicRow>): Read | undefined {
    const seen = new Set<string>();
    const taken: Taken[] = [];
    try {
      for (const row of rows) {
        const { key } = row;
        try {
          const changed = this.#readRow(row);
          if (changed !== undefined) taken.push(changed);
          seen.add(key);
        } catch (cause) {
          this.#onFault(cause);
        }
      }
    } catch (cause) {
      this.#isFailed = true;
      this.#onFault(cause);
      return undefined;
    }
    this.#isFailed = false;
    return { seen, taken };
  }

  /** Undefined where the row has not changed. */
  #readRow(row: TopicRow): Taken | undefined {
    const held = this.#held.get(row.key);
    if (held?.source === row.source) return undefined;
    const values = row.values();
    if (held?.values !== values) return { row, values, text: row.text(values) };
    held.source = row.source;
    return undefined;
  }

  #take({ taken }: Read, look: number): GoneRow[] {
    const gone: GoneRow[] = [];
    for (const each of taken) {
      const held = this.#held.get(each.row.key);
      if (held !== undefined) {
        const dropped = this.#drop(held);
        // For streams of contracts in its former currency alone it is gone.
        if (held.currency !== each.row.currency) gone.push(dropped);
      }
      this.#hold(each, look);
    }
    return gone;
  }

  #hold({ row, values, text }: Taken, look: number): void {
    const { key, asset, source } = row;
    const next: HeldRow = { ...nameOf(row), source, values, text, changedAt: look };
    this.#held.set(key, next);
    const beside = this.#byAsset.get(asset);
    if (beside === undefined) this.#byAsset.set(asset, { rows: new Set([next]), changedAt: look });
    else {
      beside.rows.add(next);
      beside.changedAt = look;
    }
  }

  #drop(held: HeldRow): GoneRow {
    const { key, asset } = held;
    this.#held.delete(key);
    const beside = this.#byAsset.get(asset);
    beside?.rows.delete(held);
    if (beside?.rows.size === 0) this.#byAsset.delete(asset);
    return nameOf(held);
  }

  #keep(gone: readonly GoneRow[], look: number): void {
    if (gone.length === 0) return;
    this.#gone.push({ look, size: gone.length, byAsset: groupBy(gone, ({ asset }) => asset) });
    this.#goneRows += gone.length;
    while (this.#goneRows > this.#mostGone && this.#gone.length > 1) {
      const oldest = this.#gone.shift();
      this.#goneRows -= oldest?.size ?? 0;
      this.#floor = oldest?.look ?? this.#floor;
    }
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
