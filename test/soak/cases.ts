import { createWorld } from '@perpmeter/sim/create-world';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import type { Decoded } from '../../src/domain/decoded.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { DecodeContext, Decoder, VenueAdapter } from '../../src/venues/adapter.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { truthOf } from '../truth/contract-truth.ts';
import type { MutationCase } from '../venues/mutate.ts';
import { callFor, contextOf, hasSamples, loadSamples, requestFor } from '../venues/recordings.ts';
import { thinned } from '../venues/relisted-world.ts';
import { type Pairing, pairingsOf, runAdapter } from '../venues/sim-run.ts';
import { deadIn, deadRows } from './dead-rows.ts';

/** A payload to be damaged, and whose it is. */
export interface SoakCase extends MutationCase {
  readonly adapter: VenueAdapter;
  readonly origin: 'simulated' | 'recorded';
  /** Share of the usual number of mutations: a frame among many of one session gets fewer than an answer. */
  readonly weight: number;
}

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const FRAME_WEIGHT = 0.15;

function soakCase(
  found: Pick<SoakCase, 'adapter' | 'origin' | 'weight' | 'name' | 'payload'> & {
    readonly decode: Decoder;
    readonly context: DecodeContext;
    readonly dead?: ReadonlySet<string>;
  },
): SoakCase {
  const { decode, payload, context } = found;
  const dead = new Set([...deadIn(decode(payload, context)), ...(found.dead ?? [])]);
  return {
    ...found,
    judge: (decoded: Decoded, mutation) => deadRows(found.adapter.liveWithout, dead, decoded, mutation),
  };
}

function simulated(pairing: Pairing, world: ReturnType<typeof createWorld>): SoakCase[] {
  const { adapter, sim } = pairing;
  const truth = truthOf(world, sim.listing, AT);
  const dead = new Set(truth.filter(({ live }) => !live).map(({ symbol }) => symbol));
  return runAdapter(pairing, world, AT).calls.map(({ name, payload, decode, context }, i) =>
    soakCase({
      adapter,
      origin: 'simulated',
      weight: 1,
      name: `${adapter.id} simulated ${i} ${name}`,
      payload,
      decode,
      context,
      dead,
    }),
  );
}

/** Folder of a venue's recordings; dexes built at Hyperliquid share one. */
function foldersOf(adapter: VenueAdapter): readonly string[] {
  return [adapter.id, ...(adapter.id === 'hyperliquid-xyz' ? ['hyperliquid-hip3'] : [])].filter(hasSamples);
}

function recorded(adapter: VenueAdapter): SoakCase[] {
  return foldersOf(adapter).flatMap((folder) => {
    const samples = loadSamples(folder).flatMap((sample) => {
      const call = callFor(adapter, sample.url, sample.method);
      return call === undefined ? [] : [{ sample, call }];
    });
    const listed = samples.flatMap(({ sample, call }) =>
      sample.payloads.flatMap((payload): Instrument[] => call.decode(payload, contextOf()).instruments),
    );
    return samples.flatMap(({ sample, call }) => {
      const { kind, url, method, file, payloads } = sample;
      const request = kind === 'rest' ? requestFor(url, method) : undefined;
      const context = contextOf(listed, request);
      return payloads.map((payload, line) =>
        soakCase({
          adapter,
          origin: 'recorded',
          weight: payloads.length > 1 ? FRAME_WEIGHT : 1,
          name: `${adapter.id} recorded ${folder}/${file}${payloads.length > 1 ? `:${line + 1}` : ''}`,
          payload,
          decode: call.decode,
          context,
        }),
      );
    });
  });
}

/** Every payload there is: of all simulated venues, and of all recordings where they are at hand. */
export function soakCases(): readonly SoakCase[] {
  const world = thinned(createWorld(1));
  const pairings = pairingsOf(VENUES, SIM_VENUES, world, AT);
  return pairings.flatMap((pairing) => [...simulated(pairing, world), ...recorded(pairing.adapter)]);
}
