import type { QualityDay, QualityStore } from '../../src/modules/second-reader/counts/quality-day.ts';

/** Keeps counts of quality as long as it is kept itself. */
export function memoryQualityStore(kept: readonly QualityDay[] = []): QualityStore {
  return { load: () => kept, save: () => {}, close: () => Promise.resolve() };
}
