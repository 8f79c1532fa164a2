/** A process that unpacks and parses what was recorded, and nothing else; prints the CPU seconds of each pass. */
import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { Received } from './tap.ts';

const PASSES = 3;

function unpack({ encoding, bytes }: Received): Buffer {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (encoding === 'br') return brotliDecompressSync(data);
  if (data[0] === 0x1f && data[1] === 0x8b) return gunzipSync(data);
  return encoding === 'deflate' ? inflateSync(data) : data;
}

/** Pings and frames that are not JSON count for what it takes to find that out. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const received = deserialize(readFileSync(process.argv[2] ?? '')) as readonly Received[];
const seconds: number[] = [];
let parsed = 0;
for (let pass = 0; pass < PASSES; pass++) {
  const before = process.cpuUsage();
  for (const one of received) if (parse(unpack(one).toString('utf8')) !== undefined) parsed++;
  const { user, system } = process.cpuUsage(before);
  seconds.push((user + system) / 1e6);
}
process.stdout.write(`${JSON.stringify({ seconds, parsed: parsed / PASSES })}\n`);
