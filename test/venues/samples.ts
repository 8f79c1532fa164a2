import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { VenueAdapter, VenueRequest } from '../../src/venues/adapter.ts';
import { checkDecoded } from './decoded-checks.ts';
import {
  contextOf,
  decodersOf,
  hasSamples,
  loadSamples,
  readPayloads,
  SAMPLES_ROOT,
  type Sample,
} from './recordings.ts';

export {
  callFor,
  contextOf,
  decodersOf,
  decodeSample,
  instrumentsFrom,
  loadSample,
  requestFor,
  type Sample,
} from './recordings.ts';

/**
 * Runs `body` with the recordings of a venue, or one skipped test that says where they were looked for. Always
 * includes the generic check: every recorded file through every decoder never throws and yields sane numbers.
 */
export function describeSamples(
  adapter: VenueAdapter,
  body: (samples: readonly Sample[]) => void,
  folders: readonly string[] = [adapter.id],
): void {
  const missing = folders.filter((folder) => !hasSamples(folder));
  if (missing.length > 0) {
    describe.skip(`${adapter.id} recordings (skipped: none at ${join(SAMPLES_ROOT, missing.join())})`, () => {
      it('needs the recordings', () => expect(missing).toEqual([]));
    });
    return;
  }
  const samples = folders.flatMap(loadSamples);
  describe(`${adapter.id} recordings`, () => {
    it('any recorded file through any decoder: sane numbers', () => {
      checkEveryFile(adapter, folders);
    });
    body(samples);
  });
}

function checkEveryFile(adapter: VenueAdapter, folders: readonly string[]): void {
  const files = folders.flatMap((folder) =>
    readdirSync(join(SAMPLES_ROOT, folder)).map((file) => ({
      file: `${folder}/${file}`,
      payloads: readPayloads(join(SAMPLES_ROOT, folder, file)),
    })),
  );
  const decoders = decodersOf(adapter);
  const listed = files.flatMap(({ payloads }) =>
    payloads.flatMap((payload) => decoders.flatMap(([, decode]) => decode(payload, contextOf()).instruments)),
  );
  // Alone, and as in service: contracts known and the request at hand, though of another contract.
  const symbol = listed[0]?.symbol;
  const request: VenueRequest = { method: 'GET', path: '/', ...(symbol === undefined ? {} : { symbol }) };
  for (const context of [contextOf(), contextOf(listed, request)]) {
    for (const { file, payloads } of files) {
      for (const [name, decode] of decoders) {
        const problems = payloads.flatMap((payload) => checkDecoded(decode(payload, context)));
        expect(problems, `${file} through ${name}`).toEqual([]);
      }
    }
  }
}
