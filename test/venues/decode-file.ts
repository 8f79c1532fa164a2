import { type Decoded, emptyDecoded } from '../../src/domain/decoded.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { decodeSample, loadSample, type Sample } from './samples.ts';

/** All that a recorded file says, its payloads taken together in order. */
export function decodeFile(
  adapter: VenueAdapter,
  file: string,
  instruments: readonly Instrument[] = [],
): Decoded {
  return together(decodeSample(adapter, loadSample(adapter.id, file), instruments));
}

function together(parts: readonly Decoded[]): Decoded {
  const all = emptyDecoded();
  for (const decoded of parts) {
    all.instruments.push(...decoded.instruments);
    all.quotes.push(...decoded.quotes);
    all.funding.push(...decoded.funding);
    all.history.push(...decoded.history);
    all.books.push(...decoded.books);
    all.rejects.push(...decoded.rejects);
  }
  return all;
}

/**
 * The same for a recording of a contract that is none of ours, under the name of one that is: it shows the format of
 * books and histories as well.
 */
export function decodeFileAs(adapter: VenueAdapter, file: string, recorded: string, name: string): Decoded {
  const text = JSON.stringify(loadSample(adapter.id, file)).replaceAll(recorded, name);
  return together(decodeSample(adapter, JSON.parse(text) as Sample));
}
