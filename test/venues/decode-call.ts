import type { Decoded } from '../../src/domain/decoded.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { UnixMs } from '../../src/domain/units.ts';
import type { DecodeContext, VenueAdapter } from '../../src/venues/adapter.ts';
import { callFor, contextOf, requestFor } from './samples.ts';

/** Decodes a payload as the answer to the call that a text names. Throws where the adapter has no such call. */
export function decodeCall(
  adapter: VenueAdapter,
  named: string,
  payload: unknown,
  instruments: readonly Instrument[] = [],
  receivedAt?: UnixMs,
): Decoded {
  const call = callFor(adapter, named);
  if (call === undefined) throw new Error(`${adapter.id} has no call for ${named}`);
  const context = contextOf(instruments, requestFor(named));
  return call.decode(payload, receivedAt === undefined ? context : { ...context, receivedAt });
}

/** Decodes payloads of one adapter by the addresses that they came from, with what else the decoder is to know. */
export function decoderOf(adapter: VenueAdapter) {
  return (url: string, payload: unknown, context: Partial<DecodeContext> = {}): Decoded => {
    const call = callFor(adapter, url);
    if (call === undefined) throw new Error(`${adapter.id} has no call for ${url}`);
    return call.decode(payload, { ...contextOf([], requestFor(url)), ...context });
  };
}

/** Symbol and reason of every reject. */
export function reasons({ rejects }: Decoded): (readonly [string | null, string])[] {
  return rejects.map(({ symbol, reason }) => [symbol, reason] as const);
}
