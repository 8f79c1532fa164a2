import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Decoded } from '../../src/domain/decoded.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import {
  callRef,
  callsOf,
  type DecodeContext,
  type Decoder,
  type VenueAdapter,
  type VenueCall,
  type VenueRequest,
} from '../../src/venues/adapter.ts';
import { namedCall } from './named-call.ts';

/** One line of a venue's `index.json`. */
interface SampleEntry {
  readonly file: string;
  readonly kind: 'rest' | 'ws';
  readonly method: string;
  readonly url: string;
  readonly what: string;
  readonly expected?: unknown;
}

/** A recorded answer (one payload) or a recorded session (one payload a line, in order). */
export interface Sample extends SampleEntry {
  readonly payloads: readonly unknown[];
}

const repoRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Folder of the recordings: `../shared/samples` beside the repository, or PERPMETER_SAMPLES. */
export const SAMPLES_ROOT = process.env.PERPMETER_SAMPLES ?? join(repoRoot, '../shared/samples');

/** Parses a recorded file: JSON as one payload, JSONL as one a line; a line that is no JSON stays text. */
export function readPayloads(path: string): unknown[] {
  const text = readFileSync(path, 'utf8');
  if (!path.endsWith('.jsonl')) return [parse(text)];
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parse);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function hasSamples(venue: string): boolean {
  return existsSync(join(SAMPLES_ROOT, venue, 'index.json'));
}

/** All recordings of a venue, in the order of its index. Call only where `hasSamples`. */
export function loadSamples(venue: string): Sample[] {
  const folder = join(SAMPLES_ROOT, venue);
  const entries: SampleEntry[] = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
  return entries.map((entry) => ({ ...entry, payloads: readPayloads(join(folder, entry.file)) }));
}

/** One recording by file name. */
export function loadSample(venue: string, file: string): Sample {
  const found = loadSamples(venue).find((sample) => sample.file === file);
  if (found === undefined) throw new Error(`${venue}: no recording ${file}`);
  return found;
}

/** The call of the adapter that a text such as `/fapi/v1/premiumIndex?symbol=X` names, or undefined. */
export function callFor(
  adapter: VenueAdapter,
  url: string,
  method?: string,
  body?: string,
): VenueCall | undefined {
  const ref = callRef(url, method === 'GET' || method === 'POST' ? method : undefined, body);
  return namedCall(callsOf(adapter), ref);
}

/** The request that a recorded REST url stands for, for `context.request`. */
export function requestFor(url: string, method = 'GET', body?: string): VenueRequest {
  const ref = callRef(url, method, body);
  const query = ref.query.toString();
  return {
    method: method === 'POST' ? 'POST' : 'GET',
    path: query === '' ? ref.path : `${ref.path}?${query}`,
    ...(ref.body === undefined ? {} : { body: ref.body }),
  };
}

/** A context that knows these contracts. */
export function contextOf(instruments: readonly Instrument[] = [], request?: VenueRequest): DecodeContext {
  const bySymbol = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
  return request === undefined ? { instruments: bySymbol } : { instruments: bySymbol, request };
}

/** The instruments that the adapter's calls read from a recorded list. */
export function instrumentsFrom(adapter: VenueAdapter, ...files: readonly string[]): Instrument[] {
  return files.flatMap((file) => {
    const sample = loadSample(adapter.id, file);
    return decodeSample(adapter, sample).flatMap((decoded) => decoded.instruments);
  });
}

/** Decodes every payload of a recording with the call its url names. Throws where no call matches. */
export function decodeSample(
  adapter: VenueAdapter,
  sample: Sample,
  instruments: readonly Instrument[] = [],
): Decoded[] {
  const call = callFor(adapter, sample.url, sample.method);
  if (call === undefined) throw new Error(`${adapter.id}: no call matches ${sample.url}`);
  const request = sample.kind === 'rest' ? requestFor(sample.url, sample.method) : undefined;
  const context = contextOf(instruments, request);
  return sample.payloads.map((payload) => call.decode(payload, context));
}

/** Every decoder of an adapter, by call name. */
export function decodersOf(adapter: VenueAdapter): readonly (readonly [name: string, decode: Decoder])[] {
  return callsOf(adapter).map((call) => [call.name, call.decode] as const);
}
