import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { nearestPaths } from '../../api/request/nearest.ts';
import { asMs } from '../../domain/units.ts';
import type {
  DecodedRecord,
  RecordedCall,
  RecordedMarkets,
  RecordingContext,
} from '../../host/recorded-market.ts';
import { type CallRef, callRef } from '../../venues/adapter.ts';
import { matchingCall } from './named-call.ts';
import { parsePayloads } from './payloads.ts';
import { perpetuals } from './perpetuals.ts';

export interface DecodeOptions {
  readonly venue: string;
  readonly market?: string;
  readonly url: string;
  readonly method?: string;
  readonly body?: string;
  readonly context?: readonly string[];
  readonly receivedAt?: string;
}

const PERPETUAL = 'perpetual';

/** Writes to standard output; false when its reader has closed the pipe, as `head` does after its lines. */
async function print(lines: Iterable<string>): Promise<boolean> {
  try {
    await pipeline(lines, process.stdout, { end: false });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return false;
    throw error;
  }
}

function findCall(calls: readonly RecordedCall[], ref: CallRef): RecordedCall | undefined {
  return matchingCall(calls, ref) ?? calls.find((call) => call.name === ref.path);
}

/** The message for a call without a decoder: the calls there are, those first that are spelled most alike. */
function unknownCall(venue: string, decoded: readonly RecordedCall[], ref: CallRef, typed: string): string {
  const calls = [...new Set(decoded.map((call) => call.name))];
  const alike = nearestPaths(ref.path, calls);
  const meant = alike.length === 0 ? ';' : `; did you mean ${alike.join(' or ')}?`;
  return `${venue} has no decoder for "${typed}"${meant} it decodes: ${calls.join(', ')}`;
}

/** The context of a recording: lists, the request itself, and when it was answered, as the options say. */
async function recordingContext(ref: CallRef, options: DecodeOptions): Promise<RecordingContext> {
  const files = await Promise.all((options.context ?? []).map((file) => readFile(file, 'utf8')));
  const lists = files.flatMap((file) => parsePayloads(file));
  const request = {
    method: ref.method === 'POST' ? 'POST' : 'GET',
    path: ref.query.size > 0 ? `${ref.path}?${ref.query}` : ref.path,
    ...(ref.body === undefined ? {} : { body: ref.body }),
  } as const;
  if (options.receivedAt === undefined) return { lists, request };
  return { lists, request, receivedAt: asMs(Date.parse(options.receivedAt)) };
}

/** Prints a line per fact and then says how many there were of each kind, unless nobody reads on. */
async function printRecords(
  from: string,
  types: readonly string[],
  payloads: number,
  records: Iterable<DecodedRecord>,
): Promise<void> {
  const counts = new Map(types.map((type) => [type, 0]));
  function* lines() {
    for (const line of records) {
      const type = String(line.type);
      counts.set(type, (counts.get(type) ?? 0) + 1);
      yield `${JSON.stringify(line)}\n`;
    }
  }
  if (!(await print(lines()))) return;
  const found = [...counts].map(([type, n]) => `${n} ${type}`);
  process.stderr.write(`decode: ${from}: ${payloads} payloads, ${found.join(', ')}\n`);
}

/** Prints why nothing is decoded, and gives the exit code. */
function refuse(why: string): number {
  process.stderr.write(`decode: ${why}\n`);
  return 2;
}

/**
 * Runs the venue's own decoder for one call on a recorded payload and prints a JSON line per fact; a summary
 * goes to stderr. No network.
 * @returns exit code: 0, also where the reader of standard output has gone, or 2 when the venue or the call has no
 * decoder
 */
export async function decodeCommand(
  file: string,
  options: DecodeOptions,
  others: RecordedMarkets = new Map(),
): Promise<number> {
  const { market = PERPETUAL } = options;
  const kind = market === PERPETUAL ? perpetuals : await others.get(market)?.();
  if (kind === undefined)
    return refuse(`no market "${market}"; known are ${[PERPETUAL, ...others.keys()].join(', ')}`);
  const venue = options.venue.toLowerCase();
  const calls = kind.callsOf(venue);
  if (calls === undefined) return refuse(`no venue "${options.venue}"; known are ${kind.venues.join(', ')}`);
  const ref = callRef(options.url, options.method, options.body);
  const call = findCall(calls, ref);
  if (call === undefined) return refuse(unknownCall(venue, calls, ref, options.url));
  const content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  const payloads = parsePayloads(content, kind.parse);
  const records = call.records(payloads, await recordingContext(ref, options));
  await printRecords(`${venue} ${call.name}`, kind.types, payloads.length, records);
  return 0;
}
