import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { matchingCall } from '../../src/modules/decode/named-call.ts';
import { spotVenueOf } from '../../src/modules/spot/registry.ts';
import type { SpotContext, SpotDecoded } from '../../src/modules/spot/spot-rows.ts';
import type { SpotCall } from '../../src/modules/spot/spot-venue.ts';
import { callRef } from '../../src/venues/adapter.ts';
import { readPayloads, requestFor } from '../venues/recordings.ts';

/** Recorded answers of spot interfaces, beside the checkout or where PERPMETER_SPOT_SAMPLES says. */
export const SPOT_SAMPLES =
  process.env.PERPMETER_SPOT_SAMPLES ??
  resolve(fileURLToPath(new URL('../../../shared/samples-spot', import.meta.url)));

export interface SpotSample {
  readonly venue: string;
  readonly file: string;
  readonly url: string;
  readonly payload: unknown;
  readonly expected?: Readonly<Record<string, unknown>>;
}

interface Entry {
  readonly file: string;
  readonly kind: string;
  readonly url: string;
  readonly expected?: Readonly<Record<string, unknown>>;
}

/** Recorded answers of calls, without the frames of sockets; none where no recordings are at hand. */
export function spotSamples(): readonly SpotSample[] {
  if (!existsSync(SPOT_SAMPLES)) return [];
  return readdirSync(SPOT_SAMPLES).flatMap((venue) => {
    const index = join(SPOT_SAMPLES, venue, 'index.json');
    if (!existsSync(index) || spotVenueOf(venue) === undefined) return [];
    const entries = JSON.parse(readFileSync(index, 'utf8')) as readonly Entry[];
    return entries
      .filter(({ kind }) => kind === 'rest')
      .flatMap(({ file, url, expected }) =>
        readPayloads(join(SPOT_SAMPLES, venue, file)).map((payload) => ({
          venue,
          file,
          url,
          payload,
          ...(expected !== undefined && { expected }),
        })),
      );
  });
}

/** The call of a venue's spot side that an address names. */
export const spotCallFor = (venue: string, url: string): SpotCall | undefined =>
  matchingCall(spotVenueOf(venue)?.calls ?? [], callRef(url));

/** The context of an answer: its request, and markets by their symbols. */
export const spotContext = (url: string, markets: SpotDecoded['markets'] = []): SpotContext => ({
  markets: new Map(markets.map((market) => [market.symbol, market])),
  request: requestFor(url),
});
