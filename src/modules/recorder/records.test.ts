import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { BOOKS, MARKS, RecorderRig, recordsIn } from '../../../test/recorder/recorder-rig.ts';
import { ownCodec } from './codec.ts';
import { gapOf, type WireRecord } from './record.ts';
import type { RecordsQuery } from './record-range.ts';
import { segmentFile } from './recording-folder.ts';
import { RecordingFault, records } from './records.ts';

const folder = mkdtempSync(join(tmpdir(), 'perpmeter-records-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'whole');
const START = Date.UTC(2026, 10, 20);
const DEX = { ...MARKS, venue: 'hyperliquid-xyz' };

/** Three lines through closed segments, a clock set back, a pause and a lost connection; the last segment stays open. */
async function record(): Promise<RecorderRig> {
  const rig = await RecorderRig.open(path, { segmentBytes: 600, mostPendingBytes: 2000 });
  const { recorder } = rig;
  for (let second = 0; second < 12; second++) {
    if (second === 4) rig.wall -= 3000;
    recorder.opened(BOOKS, second);
    rig.frame(`{"book":${second}}`);
    if (second % 3 === 0) rig.frame(`{"mark":${second}}`, MARKS);
    if (second === 7) rig.frame('x'.repeat(3000), DEX);
    rig.pass(500);
    recorder.closed(BOOKS, second, 'silence');
    rig.pass(500);
    await recorder.tick();
    // Nothing waits to be written by now: the next tick ends the pause.
    if (recorder.pausedBy !== undefined) rig.pass(5000);
  }
  return rig;
}

const isOf =
  ({ from = -Infinity, to = Infinity, venues = [], kinds = [] }: RecordsQuery) =>
  (record: WireRecord): boolean => {
    if (record.type === 'gap') {
      const gap = gapOf(record);
      return gap.from < (to ?? Infinity) && gap.to >= (from ?? -Infinity);
    }
    if (record.wall < (from ?? -Infinity) || record.wall >= (to ?? Infinity)) return false;
    const { venue, kind } = record.line;
    if (venue === '') return true;
    return (
      (venues.length === 0 || venues.includes(venue.replace(/-xyz$/, ''))) &&
      (kinds.length === 0 || kinds.includes(kind))
    );
  };

const copyOf = (name: string): string => {
  const copy = join(folder, name);
  cpSync(path, copy, { recursive: true });
  return copy;
};

describe('records of a folder', () => {
  let all: readonly WireRecord[] = [];
  let rig: RecorderRig | undefined;
  afterAll(() => rig?.recorder.stop());
  beforeAll(async () => {
    rig = await record();
    all = await recordsIn(path);
  });

  it('closed and open segments: every record, by monotonic time', () => {
    expect(readdirSync(path).length).toBeGreaterThan(4);
    const monos = all.map(({ mono }) => mono);
    expect(monos).toEqual([...monos].sort((a, b) => a - b));
    const count = (type: string): number => all.filter((record) => record.type === type).length;
    expect(['clock', 'gap', 'opened', 'disconnect'].map(count)).toEqual([1, 1, 11, 11]);
  });

  it('any time, venues and kinds: what a look at every record finds', async () => {
    const time = fc.option(fc.integer({ min: START - 4000, max: START + 20_000 }), { nil: undefined });
    const query = fc.record({
      from: time,
      to: time,
      venues: fc.subarray(['binance', 'okx', 'hyperliquid', 'gate']),
      kinds: fc.subarray(['books' as const, 'tickers' as const, 'history' as const]),
    });
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        expect(await recordsIn(path, asked)).toEqual(all.filter(isOf(asked)));
      }),
      { numRuns: 200 },
    );
  });

  it('an index that is lost: the same records', async () => {
    const copy = copyOf('no index');
    rmSync(join(copy, 'index.json'));
    const asked = { from: START + 1000, to: START + 5000, venues: ['okx'] };
    expect(await recordsIn(copy, asked)).toEqual(all.filter(isOf(asked)));
  });

  it('a time that ends within a pause: its gap is told', async () => {
    const gap = all.find(({ type }) => type === 'gap');
    const { from, to } = gap === undefined ? { from: 0, to: 0 } : gapOf(gap);
    expect(to - from).toBeGreaterThan(1000);
    const found = await recordsIn(path, { from: from + 1, to: from + 2, venues: ['gate'] });
    expect(found).toEqual([gap]);
  });

  it('a damaged block: the records before it, then a fault', async () => {
    const copy = copyOf('damaged');
    const file = join(copy, segmentFile(2));
    const bytes = readFileSync(file);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const found: WireRecord[] = [];
    const read = async (): Promise<void> => {
      for await (const record of records(copy)) found.push(record);
    };
    await expect(read()).rejects.toThrow(RecordingFault);
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(all.slice(0, found.length));
  });

  it.each([true, false])('a segment that is gone, index %s: a fault', async (hasIndex) => {
    const copy = copyOf(`gone ${hasIndex}`);
    rmSync(join(copy, segmentFile(3)));
    if (!hasIndex) rmSync(join(copy, 'index.json'));
    await expect(recordsIn(copy)).rejects.toThrow(RecordingFault);
  });

  it('the oldest is removed while others are read: they go on', async () => {
    const copy = copyOf('retention');
    rmSync(join(copy, segmentFile(1)));
    const found = await recordsIn(copy);
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(all.slice(all.length - found.length));
  });

  it('a segment in the place of another: a fault', async () => {
    const copy = copyOf('swapped');
    writeFileSync(join(copy, segmentFile(2)), readFileSync(join(path, segmentFile(1))));
    await expect(recordsIn(copy)).rejects.toThrow('it is number 1');
  });

  it('a block that holds nothing of the time: not unpacked', async () => {
    const copy = join(folder, 'narrow');
    const narrow = await RecorderRig.open(copy);
    for (let second = 0; second < 3; second++) {
      narrow.frame(`${second}`);
      narrow.pass(60_000);
      await narrow.recorder.tick();
    }
    await narrow.recorder.stop();
    const unpack = vi.spyOn(ownCodec, 'unpack');
    const found = await recordsIn(copy, { from: START + 60_000, to: START + 60_001 });
    expect(found.map(({ payload }) => payload.toString())).toEqual(['1']);
    expect(unpack).toHaveBeenCalledOnce();
    unpack.mockRestore();
  });
});
