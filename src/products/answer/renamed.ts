import Type, { type Static } from 'typebox';
import { lowerAscii } from '../../domain/ascii-case.ts';
import type { MarketView } from '../../market/view.ts';
import { canonicalIdName, number, oneOf, text, tickerName } from './schema.ts';

/** Says that an answer is about an asset that is called otherwise than it was asked for. */
export const renamedSchema = Type.Object(
  {
    asked: text('The name that was asked for'),
    ticker: tickerName,
    canonical_id: canonicalIdName,
    day: text('First day of the present name, UTC'),
    factor: number(
      'Units of ticker that one unit of the name asked for became; past values are in units of ticker',
    ),
    state: oneOf(['done', 'announced'], {
      description: 'announced: venues still list the name under which the answer is',
    }),
  },
  { description: 'Only where the asset goes by another name than the one asked for' },
);
export type Renamed = Static<typeof renamedSchema>;

/** A request's parameters as they were written. */
type Asked = Readonly<Record<string, unknown>>;

const written = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Finds the renaming of the asset that a request names; undefined where it was asked for by its present name. */
export function renamedBy(market: Pick<MarketView, 'renamed'>, asked: Asked): Renamed | undefined {
  const name = written(asked.ticker) ?? written(asked.symbol);
  if (name === undefined) return undefined;
  const venue = written(asked.venue) ?? written(asked.short);
  const id = written(asked.canonical_id);
  const found = market.renamed(name, {
    ...(venue !== undefined && { venue: lowerAscii(venue.trim()) }),
    ...(id !== undefined && { canonicalId: id }),
  });
  if (found === undefined) return undefined;
  const { asked: former, ticker, canonicalId, day, factor, state } = found;
  return { asked: former, ticker, canonical_id: canonicalId, day, factor, state };
}
