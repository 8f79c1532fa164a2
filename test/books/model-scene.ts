import { BookRig, type RigOptions } from './book-rig.ts';
import { type ModelRule, ModelVenue, modelFeed, RULES } from './model-venue.ts';

export const BY_SNAPSHOT = RULES['snapshot in the stream, each change names the one before'];
export const BY_SEED = RULES['changes joined with a REST book'];
export const EITHER = RULES['a snapshot in the stream or a REST book'];

/** A rig that follows the contracts of a model of a venue, each with what the venue has of it. */
export function scene(rule: ModelRule, symbols = ['A'], options: RigOptions = {}) {
  const rig = new BookRig(modelFeed(rule), options);
  const venues = symbols.map((symbol, i) => new ModelVenue(symbol, rule, i + 1));
  rig.follow(...symbols);
  const [venue] = venues;
  if (venue === undefined) throw new Error('no contract');
  return { rig, venue, venues };
}
