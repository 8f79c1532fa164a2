import type { Instrument } from '../../domain/instrument.ts';
import type { RecordedMarket, RecordingContext } from '../../host/recorded-market.ts';
import { callsOf, type DecodeContext, type VenueAdapter, type VenueCall } from '../../venues/adapter.ts';
import { adapterOf, VENUES } from '../../venues/registry.ts';
import { decodedLines } from './decoded-lines.ts';
import { recordedCall } from './named-call.ts';

/** Contracts from a recorded instrument payload: whichever call of the venue reads most of them from it. */
function contractsFrom(adapter: VenueAdapter, payload: unknown): readonly Instrument[] {
  const lists = callsOf(adapter).map(
    (call) => recordedCall(call).decode(payload, { instruments: new Map() }).instruments,
  );
  return lists.reduce((best, list) => (list.length > best.length ? list : best), []);
}

function contextOf(adapter: VenueAdapter, { lists, request, receivedAt }: RecordingContext): DecodeContext {
  const listed = lists.flatMap((payload) => contractsFrom(adapter, payload));
  const instruments = new Map(listed.map((instrument) => [instrument.symbol, instrument]));
  return { instruments, request, ...(receivedAt !== undefined && { receivedAt }) };
}

/** Each payload as the frame behind the one before: what packed frames name once holds for those that follow. */
function* recordsOf(
  adapter: VenueAdapter,
  call: VenueCall,
  payloads: readonly unknown[],
  given: RecordingContext,
) {
  const context = contextOf(adapter, given);
  let columns: readonly string[] | undefined;
  for (const payload of payloads) {
    const decoded = call.decode(payload, columns === undefined ? context : { ...context, columns });
    columns = decoded.columns ?? columns;
    yield* decodedLines(adapter, decoded, context.instruments);
  }
}

/** Recorded payloads of perpetuals, read by the decoders that the service reads its venues with. */
export const perpetuals: RecordedMarket = {
  venues: VENUES.map((venue) => venue.id),
  types: ['quote', 'instrument', 'funding_point', 'history_point', 'book', 'reject'],
  callsOf: (id) => {
    const adapter = adapterOf(id);
    return (
      adapter &&
      callsOf(adapter).map((call) => ({
        ...call,
        records: (payloads, context) => recordsOf(adapter, recordedCall(call), payloads, context),
      }))
    );
  },
};
