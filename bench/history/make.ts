/**
 * Child of the bench: makes the rows of the past, some hours a file, in the engine's own column format. Told to go on
 * by a message, so that few files wait at a time.
 */

import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { benchWorld, buildSeries } from './series.ts';
import { keyOfSeries, VALUES, valuesAt } from './values.ts';

const [dir = '', fromText, toText, countText, stepText] = process.argv.slice(2);
const [from, to, count, step] = [fromText, toText, countText, stepText].map(Number);
if (from === undefined || to === undefined || count === undefined || step === undefined) {
  throw new RangeError('make: folder, from, to, series and ms a file');
}

const world = benchWorld();
const series = buildSeries(world, count);
const keys = series.map(keyOfSeries);
const rows = (step / MINUTE_MS) * series.length;
const ids = new Uint16Array(rows);
const times = new Uint32Array(rows);
const columns = VALUES.map(() => new Float64Array(rows));
const row = new Float64Array(VALUES.length);

function varint(x: number): Buffer {
  const bytes: number[] = [];
  for (let left = x; ; left = Math.floor(left / 128)) {
    bytes.push(left < 128 ? left : (left % 128) + 128);
    if (left < 128) return Buffer.from(bytes);
  }
}

const text = (word: string): Buffer => Buffer.concat([varint(Buffer.byteLength(word)), Buffer.from(word)]);

function writeFile(path: string): void {
  const file = openSync(path, 'w');
  const parts: readonly (readonly [string, string, Uint16Array | Uint32Array | Float64Array])[] = [
    ['id', 'UInt16', ids],
    ['ts', 'UInt32', times],
    ...VALUES.map((name, i) => [name, 'Float64', columns[i] ?? row] as const),
  ];
  writeSync(file, Buffer.concat([varint(parts.length), varint(rows)]));
  for (const [name, type, data] of parts) {
    writeSync(file, Buffer.concat([text(name), text(type)]));
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  }
  closeSync(file);
}

let next = from;
process.on('message', () => {
  if (next >= to) {
    process.send?.({ done: true });
    process.disconnect();
    return;
  }
  let at = 0;
  const end = next + step;
  for (let t = next; t < end; t += MINUTE_MS) {
    for (const [id, one] of series.entries()) {
      valuesAt(world, one, keys[id] ?? 0, t, row);
      ids[at] = id;
      times[at] = t / 1000;
      for (let i = 0; i < VALUES.length; i++) (columns[i] ?? row)[at] = row[i] ?? 0;
      at += 1;
    }
  }
  const path = join(dir, `${next}.native`);
  writeFile(path);
  next = end;
  process.send?.({ path });
});
