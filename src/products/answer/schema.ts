import Type, { type Static, type TSchema, type TUnsafe } from 'typebox';
import { ASSET_CLASSES } from '../../domain/instrument.ts';

/** Building blocks of the request and answer schemas, so that all routes say the same thing the same way. */

/** The value or null: null where a fact is not known. Written as a type array, as OpenAPI 3.1 reads it. */
export function nullable<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  const plain: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(schema));
  const widened: Record<string, unknown> = { ...plain, type: [plain.type, 'null'] };
  if (Array.isArray(plain.enum)) widened.enum = [...plain.enum, null];
  return Type.Unsafe<Static<S> | null>(widened);
}

/** One of a few words. */
export function oneOf<const W extends readonly string[]>(
  words: W,
  options: { description?: string; default?: W[number] } = {},
): TUnsafe<W[number]> {
  return Type.Unsafe<W[number]>({ type: 'string', enum: [...words], ...options });
}

/** ISO 8601 in UTC with milliseconds: `2026-11-20T21:30:29.123Z`. */
export const timestamp = (description: string) => Type.String({ format: 'date-time', description });
export const text = (description: string) => Type.String({ description });
export const number = (description: string) => Type.Number({ description });
export const integer = (description: string, minimum = 0) => Type.Integer({ description, minimum });
/** Whole numbers by a name that the schema does not fix. */
export const counts = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description });
export const boolean = (description: string) => Type.Boolean({ description });

export const assetClass = oneOf(ASSET_CLASSES, { description: 'What kind of asset the contract follows' });
export const venueName = text('Venue identifier, lower case, as in /v1/venues/list');
export const tickerName = text('Upper-case base asset, contract multipliers removed');
export const canonicalIdName = text('Asset identity <asset_class>:<SLUG>; unrelated assets never share one');
