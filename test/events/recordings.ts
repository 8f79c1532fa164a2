import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { matchingCall } from '../../src/modules/decode/named-call.ts';
import { parsePayloads } from '../../src/modules/decode/payloads.ts';
import { parseFrame } from '../../src/modules/events/parse-frame.ts';
import { RECORDED_LIQUIDATIONS, RECORDED_TRADES } from '../../src/modules/events/recorded.ts';
import { callRef } from '../../src/venues/adapter.ts';
import { requestFor } from '../venues/recordings.ts';

/** Recorded frames of liquidations and trades, beside the checkout or where PERPMETER_EVENT_SAMPLES says. */
export const EVENT_SAMPLES =
  process.env.PERPMETER_EVENT_SAMPLES ??
  resolve(fileURLToPath(new URL('../../../shared/samples-events', import.meta.url)));

interface Entry {
  readonly file: string;
  readonly channel?: string;
  readonly url?: string;
  readonly origin: string;
}

/** A recorded file with its frames. */
export interface EventSample extends Entry {
  readonly venue: string;
  readonly payloads: readonly unknown[];
}

/** The folder of builder markets is of one of them. */
const VENUES: Readonly<Record<string, string>> = { 'hyperliquid-hip3': 'hyperliquid-xyz' };

/** All recorded files; none where no recordings are at hand. */
export function eventSamples(): readonly EventSample[] {
  if (!existsSync(EVENT_SAMPLES)) return [];
  return readdirSync(EVENT_SAMPLES).flatMap((folder) => {
    const index = join(EVENT_SAMPLES, folder, 'index.json');
    if (!existsSync(index)) return [];
    const entries = JSON.parse(readFileSync(index, 'utf8')) as readonly Entry[];
    return entries.map((entry) => ({
      ...entry,
      venue: VENUES[folder] ?? folder,
      payloads: parsePayloads(readFileSync(join(EVENT_SAMPLES, folder, entry.file), 'utf8'), parseFrame),
    }));
  });
}

/** The records that `perpmeter decode` prints of a sample, of both kinds. */
export function recordsOf({ venue, channel, url = channel ?? '', payloads }: EventSample) {
  return [RECORDED_LIQUIDATIONS, RECORDED_TRADES].flatMap(({ callsOf }) => {
    const call = matchingCall(callsOf(venue) ?? [], callRef(url));
    if (call === undefined) throw new Error(`${venue}: no call ${url}`);
    return [...call.records(payloads, { lists: [], request: requestFor(url) })];
  });
}
