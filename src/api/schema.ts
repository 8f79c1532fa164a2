import Type, { type Static, type TSchema, type TUnsafe } from 'typebox';
import { NULL_REASONS, type NullReason } from '../analytics/null-reason.ts';

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
export const boolean = (description: string) => Type.Boolean({ description });

export const ASSET_CLASSES = [
  'crypto',
  'equity',
  'index',
  'commodity',
  'fx',
  'etf',
  'prelaunch',
  'unknown',
] as const;

export const assetClass = oneOf(ASSET_CLASSES, { description: 'What kind of asset the contract follows' });
export const venueName = text('Venue identifier, lower case, as in /v1/venues/list');
export const tickerName = text('Upper-case base asset, contract multipliers removed');
export const canonicalIdName = text('Asset identity <asset_class>:<SLUG>; unrelated assets never share one');

/** Which contract the numbers of a row are of. */
export const contractFields = {
  venue_symbol: text("The venue's own symbol of the contract"),
  quote: text('Currency that its prices are quoted in'),
  multiplier: Type.Number({
    description: 'Units of the ticker in one unit of the base as the venue names it',
  }),
};

/** When the values of a row were last stated; null where the value is not known. */
export const rateTimeField = { rate_updated_at: nullable(timestamp('Time of the rate')) };
export const markTimeField = { mark_updated_at: nullable(timestamp('Time of the mark price')) };
export const interestTimeField = {
  open_interest_updated_at: nullable(timestamp('Time of the open interest')),
};

/** Query parameter that names an asset. */
export const tickerParameter = Type.String({
  minLength: 1,
  maxLength: 64,
  examples: ['BTC'],
  description: 'Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works',
});

/** The same in a path. */
export const symbolParameter = Type.String({
  minLength: 1,
  maxLength: 64,
  examples: ['BTC'],
  description:
    'Base asset, any case: BTC. A canonical_id (crypto:BTC) or a perp suffix (BTC-PERP) also works',
});

export const venueParameter = Type.String({
  minLength: 1,
  maxLength: 64,
  examples: ['binance'],
  description: 'Venue identifier in any case, one of the names in /v1/venues/list',
});

/** Query parameter that tells apart assets behind one ticker. */
export const canonicalIdParameter = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 96,
    description: 'Asset identity such as crypto:BTC, for a ticker that names more than one asset',
  }),
);

/** Why values of a row are null; not there where none is. */
export const nullReasons = {
  null_reasons: Type.Optional(
    Type.Unsafe<Readonly<Record<string, NullReason>>>({
      type: 'object',
      additionalProperties: { type: 'string', enum: Object.keys(NULL_REASONS) },
      description: `Fields that are null, with the reason. ${Object.entries(NULL_REASONS)
        .map(([word, meaning]) => `${word}: ${meaning}`)
        .join('; ')}`,
    }),
  ),
};
