import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MARKS, RecorderRig, recordsIn, verified } from '../../../test/recorder/recorder-rig.ts';
import { RecordingFolder, segmentFile } from './recording-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'perpmeter-recordings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const whole = join(folder, 'whole');

/** Three closed segments of a few blocks each. */
async function record(path: string): Promise<void> {
  for (let run = 0; run < 3; run++) {
    const rig = await RecorderRig.open(path);
    rig.pass(run * 60_000);
    for (let second = 0; second < 3; second++) {
      for (let i = 0; i < 5; i++) rig.frame(`{"run":${run},"second":${second},"i":${i}}`);
      rig.frame('[1]', MARKS);
      rig.pass(1000);
      await rig.recorder.tick();
    }
    await rig.recorder.stop();
  }
}

/** The folder again, with one segment changed. */
function changed(sequence: number, change: (bytes: Buffer) => Buffer, name = 'changed'): string {
  const copy = join(folder, name);
  rmSync(copy, { recursive: true, force: true });
  cpSync(whole, copy, { recursive: true });
  const file = join(copy, segmentFile(sequence));
  writeFileSync(file, change(readFileSync(file)));
  return copy;
}

const sequence = fc.integer({ min: 1, max: 3 });
const part = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('verification of recordings', () => {
  beforeAll(() => record(whole));

  it('closed segments: whole, with all records', async () => {
    const found = await verified(whole);
    expect(found.map(({ state, records, faults }) => [state, records, faults])).toEqual([
      ['whole', 18, []],
      ['whole', 18, []],
      ['whole', 18, []],
    ]);
    expect(await recordsIn(whole)).toHaveLength(54);
  });

  it('any flipped bit of any segment: found', async () => {
    const property = fc.asyncProperty(sequence, part, fc.nat(7), async (number, at, bit) => {
      const path = changed(number, (bytes) => {
        const place = Math.floor(at * bytes.length);
        bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
        return bytes;
      });
      const found = await verified(path);
      expect(found[number - 1]?.state).toBe('faulty');
    });
    await fc.assert(property, { numRuns: 60 });
  });

  it('any cut of any segment: found, also without the index', async () => {
    const property = fc.asyncProperty(sequence, part, fc.boolean(), async (number, at, hasIndex) => {
      const path = changed(number, (bytes) => bytes.subarray(0, Math.floor(at * bytes.length)));
      if (!hasIndex) rmSync(join(path, 'index.json'));
      const state = (await verified(path))[number - 1]?.state;
      expect(state).toBe(number === 3 && !hasIndex ? 'open' : 'faulty');
    });
    await fc.assert(property, { numRuns: 60 });
  });

  it('a segment that is gone, or in the place of another: found', async () => {
    const gone = changed(1, (bytes) => bytes, 'gone');
    rmSync(join(gone, segmentFile(2)));
    expect(
      (await verified(gone)).filter(({ state }) => state === 'faulty').map(({ file }) => file),
    ).toContain(segmentFile(2));
    rmSync(join(gone, 'index.json'));
    expect((await verified(gone)).flatMap(({ faults }) => faults)).toEqual(['segments 2 to 2 are missing']);
    const other = readFileSync(join(whole, segmentFile(1)));
    const swapped = await verified(changed(2, () => other, 'swapped'));
    expect(swapped[1]?.faults).toContain('its header says that it is number 1');
  });

  it('a torn end: cut off and named when the folder is opened again', async () => {
    await fc.assert(
      fc.asyncProperty(part, async (at) => {
        const path = changed(3, (bytes) => bytes.subarray(0, Math.floor(at * bytes.length)));
        rmSync(join(path, 'index.json'));
        const before = await recordsIn(path);
        const opened = await RecordingFolder.open(path);
        const after = await verified(path);
        expect(after.map(({ state }) => state)).toEqual(opened.segments.map(() => 'whole'));
        expect(await recordsIn(path)).toEqual(before);
        if (opened.segments.length === 3) expect(opened.segments[2]?.reason).toBe('recovered');
      }),
      { numRuns: 40 },
    );
  });

  it('an index that is lost: made again from the footers', async () => {
    const path = changed(1, (bytes) => bytes, 'index');
    const before = readFileSync(join(path, 'index.json'), 'utf8');
    rmSync(join(path, 'index.json'));
    await RecordingFolder.open(path);
    expect(readFileSync(join(path, 'index.json'), 'utf8')).toBe(before);
  });
});
