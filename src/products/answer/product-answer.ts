import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { MarketRow } from '../../market/view.ts';
import type { Renamed } from './renamed.ts';

/** Venues behind an answer, and those that could have been and were not. */
export interface Sources {
  readonly used: readonly VenueId[];
  readonly missing: readonly VenueId[];
}

interface Lineage {
  /** Time of the oldest value used; undefined when no row was. */
  readonly asOf: UnixMs | undefined;
  readonly sources: Sources;
}

/** An answer with its lineage. */
export interface ProductAnswer<Body> extends Lineage {
  readonly body: Body;
}

/** An answer about the service itself has no sources. */
export interface PlainAnswer<Body> extends Partial<Lineage> {
  readonly body: Body;
}

/** An answer that is more than the JSON of a body. */
export interface RenderedAnswer extends Partial<Lineage> {
  readonly content: Content;
  /** The moment of `as_of`, where it was asked for; undefined of an answer of now. */
  readonly answeredAsOf?: UnixMs;
  /** Present where the asset is called otherwise than it was asked for. */
  readonly renamed?: Renamed;
  /** The inputs of the bytes: while they stay the same, element by element, so do the bytes. */
  readonly basis?: readonly unknown[];
}

export type Content =
  | { readonly json: unknown }
  /** JSON text put together from cached pieces, written only where `basis` has changed; `body` is what it states. */
  | { readonly write: () => string; readonly body?: () => object }
  | { readonly bytes: Buffer; readonly contentType: string; readonly fileName?: string };

/** Adds to an answer that its asset was renamed; a file says it in a header alone. */
export const withRenamed = (answer: RenderedAnswer, renamed: Renamed): RenderedAnswer =>
  withField({ ...answer, renamed }, 'renamed', renamed);

/** Adds a field at the end of an answer that is a JSON object; a file stays as it is. */
export function withField(answer: RenderedAnswer, name: string, value: unknown): RenderedAnswer {
  const { content, basis } = answer;
  if ('bytes' in content) return answer;
  if ('json' in content) return { ...answer, content: { json: { ...Object(content.json), [name]: value } } };
  const end = JSON.stringify({ [name]: value }).slice(1);
  const { body } = content;
  const write = (): string => `${content.write().slice(0, -1)},${end}`;
  const written = { write, ...(body !== undefined && { body: () => ({ ...body(), [name]: value }) }) };
  return { ...answer, content: written, ...(basis !== undefined && { basis: [...basis, end] }) };
}

/** Time of what a funding product is about: of the rate, else of the row. */
export function fundingTime(row: MarketRow): UnixMs {
  return row.fundingUpdatedAt ?? row.updatedAt;
}

/** Time of a row. */
function rowTime(row: MarketRow): UnixMs {
  return row.updatedAt;
}

/** The oldest of some rows; undefined without any. */
export function oldestOf(
  rows: readonly MarketRow[],
  timeOf: (row: MarketRow) => UnixMs = rowTime,
): UnixMs | undefined {
  let oldest: UnixMs | undefined;
  for (const row of rows) {
    const time = timeOf(row);
    if (oldest === undefined || time < oldest) oldest = time;
  }
  return oldest;
}

/** Wraps a body with the lineage of the rows it was made from. */
export function productAnswer<Body>(
  body: Body,
  used: readonly MarketRow[],
  expected: readonly VenueId[],
  timeOf: (row: MarketRow) => UnixMs = rowTime,
): ProductAnswer<Body> {
  const venues = new Set(used.map((row) => row.venue));
  return {
    body,
    asOf: oldestOf(used, timeOf),
    sources: { used: [...venues], missing: expected.filter((venue) => !venues.has(venue)) },
  };
}
