import type { Instrument } from '../../src/domain/instrument.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { mutate } from './mutate.ts';
import { callFor, contextOf, requestFor, type Sample } from './samples.ts';

/** Mutations tried of each recorded payload. */
const TRIED = 200;

/** Problems found when the fields of every recording are broken one by one, with these contracts known. */
export function mutationProblems(
  adapter: VenueAdapter,
  samples: readonly Sample[],
  instruments: readonly Instrument[] = [],
): string[] {
  return samples.flatMap((sample) => {
    const call = callFor(adapter, sample.url, sample.method);
    if (call === undefined) return [];
    const context = contextOf(instruments, requestFor(sample.url));
    // A session holds the same frames again and again: some of each kind are enough.
    return sample.payloads.slice(0, 12).flatMap((payload) => {
      const test = { name: sample.file, payload, decode: call.decode, context };
      return mutate(test, { limit: TRIED }).problems;
    });
  });
}
