import { type Decoded, emptyDecoded } from '../../src/domain/decoded.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { decodeSample, loadSample } from './samples.ts';

/** All that a recorded file says, its payloads taken together in order. */
export function decodeFile(
  adapter: VenueAdapter,
  file: string,
  instruments: readonly Instrument[] = [],
): Decoded {
  const all = emptyDecoded();
  for (const decoded of decodeSample(adapter, loadSample(adapter.id, file), instruments)) {
    all.instruments.push(...decoded.instruments);
    all.quotes.push(...decoded.quotes);
    all.funding.push(...decoded.funding);
    all.history.push(...decoded.history);
    all.books.push(...decoded.books);
    all.rejects.push(...decoded.rejects);
  }
  return all;
}
