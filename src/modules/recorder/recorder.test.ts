import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BOOKS, MARKS, RecorderRig, recordsIn, verified } from '../../../test/recorder/recorder-rig.ts';
import { diskObstacle, mountSmallDisk } from '../../../test/small-disk.ts';
import { ownCodec } from './codec.ts';
import { RecordingFolder } from './recording-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'perpmeter-recorder-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const texts = async (path: string): Promise<readonly string[]> =>
  (await recordsIn(path)).map(({ type, payload }) => `${type} ${payload}`);

/** All bytes of a folder after unpacking, and as they lie there. */
async function everyByte(path: string): Promise<string> {
  const files = readdirSync(path).map((name) => readFileSync(join(path, name), 'latin1'));
  const payloads = (await recordsIn(path)).map(({ payload }) => payload.toString('latin1'));
  return [...files, ...payloads].join('\n');
}

describe('the recorder', () => {
  it('connections, frames and answers: read back with times, in order', async () => {
    const path = join(folder, 'order');
    const rig = await RecorderRig.open(path);
    rig.recorder.opened(BOOKS, 3);
    rig.pass(1.5);
    rig.recorder.frame(BOOKS, 3, Buffer.from('{"b":1}'), false);
    rig.recorder.frame(MARKS, 0, Buffer.from([1, 2]), true);
    rig.pass(10);
    rig.recorder.closed(BOOKS, 3, 'silence');
    await rig.recorder.stop();
    const records = await recordsIn(path);
    expect(records.map(({ type, line, connection }) => [type, line.venue, connection])).toEqual([
      ['opened', 'binance', 3],
      ['text', 'binance', 3],
      ['binary', 'okx', 0],
      ['disconnect', 'binance', 3],
    ]);
    expect(records.map(({ mono }) => mono)).toEqual([5, 6.5, 6.5, 16.5]);
    expect(records.map(({ payload }) => payload.toString('hex')).slice(1)).toEqual([
      '7b2262223a317d',
      '0102',
      Buffer.from('silence').toString('hex'),
    ]);
  });

  it('kinds and venues that are not named: not recorded', async () => {
    const path = join(folder, 'chosen');
    const rig = await RecorderRig.open(path, { words: ['books', 'hyperliquid'] });
    const dex = { ...BOOKS, venue: 'hyperliquid-xyz' };
    rig.frame('other venue');
    rig.frame('other kind', { ...MARKS, venue: 'hyperliquid' });
    rig.frame('sub-venue', dex);
    rig.recorder.opened(MARKS, 1);
    await rig.recorder.stop();
    expect(await texts(path)).toEqual(['text sub-venue']);
  });

  it('a clock that is set: the segment ends, and a record says by how much', async () => {
    const path = join(folder, 'clock');
    const rig = await RecorderRig.open(path);
    rig.frame('before');
    rig.wall -= 3_600_000;
    rig.pass(10);
    rig.frame('after');
    await rig.recorder.stop();
    expect(await texts(path)).toEqual(['text before', 'clock {"stepMs":-3600000}', 'text after']);
    expect((await verified(path)).map(({ state }) => state)).toEqual(['whole', 'whole']);
    const { segments } = await RecordingFolder.open(path);
    expect(segments.map(({ reason }) => reason)).toEqual(['clock', 'stop']);
    const monos = (await recordsIn(path)).map(({ mono }) => mono);
    expect(monos).toEqual([...monos].sort((a, b) => a - b));
  });

  it('a segment that is large enough: closed, the next one follows it', async () => {
    const path = join(folder, 'size');
    const rig = await RecorderRig.open(path, { segmentBytes: 1 });
    for (let i = 0; i < 3; i++) {
      rig.frame(`${i}`);
      await rig.recorder.tick();
    }
    await rig.recorder.stop();
    expect((await verified(path)).map(({ state, faults }) => [state, faults])).toEqual([
      ['whole', []],
      ['whole', []],
      ['whole', []],
    ]);
  });

  it('an hour: the segment is closed', async () => {
    const path = join(folder, 'age');
    const rig = await RecorderRig.open(path);
    rig.frame('first');
    rig.pass(3_600_000);
    await rig.recorder.tick();
    expect(rig.folder.segments.map(({ reason }) => reason)).toEqual(['age']);
  });

  it('more than can be written: a gap, and recording goes on after it', async () => {
    const path = join(folder, 'overload');
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const pack = (raw: Buffer): Promise<Buffer> => held.then(() => ownCodec.pack(raw));
    const rig = await RecorderRig.open(path, { codec: { ...ownCodec, pack }, mostPendingBytes: 400 });
    rig.frame('x'.repeat(500));
    const written = rig.recorder.tick();
    rig.frame('lost');
    expect(rig.recorder.pausedBy).toBe('overload');
    release();
    await written;
    rig.pass(10_000);
    await rig.recorder.tick();
    rig.frame('last');
    await rig.recorder.stop();
    const [gap] = (await verified(path)).flatMap(({ gaps }) => gaps);
    expect(gap).toMatchObject({ reason: 'overload', records: 1, bytes: 4 });
    expect((await texts(path)).at(-1)).toBe('text last');
  });

  it.each([
    ['before it goes on', false],
    ['while it goes on', true],
  ])('stopped in a pause, %s: the gap is told', async (name, goesOn) => {
    const path = join(folder, name);
    const rig = await RecorderRig.open(path, { mostPendingBytes: 400 });
    rig.frame('x'.repeat(500));
    await rig.recorder.tick();
    rig.frame('lost');
    rig.pass(60_000);
    const tick = goesOn ? rig.recorder.tick() : undefined;
    await rig.recorder.stop();
    await tick;
    const segments = await verified(path);
    expect(segments.map(({ state }) => state)).toEqual(['whole']);
    expect(segments[0]?.gaps).toMatchObject([{ reason: 'overload', records: 1 }]);
  });

  it('a kill: what was written each second is there', async () => {
    const path = join(folder, 'kill');
    const rig = await RecorderRig.open(path);
    rig.frame('written');
    await rig.recorder.tick();
    rig.frame('of the last second');
    expect(await texts(path)).toEqual(['text written']);
    const next = await RecorderRig.open(path);
    next.recorder.start({ reason: 'killed', from: 1, to: 2, records: 0, bytes: 0 });
    await next.recorder.stop();
    expect((await verified(path)).map(({ state }) => state)).toEqual(['whole', 'whole']);
    expect((await verified(path))[1]?.gaps).toMatchObject([{ reason: 'killed', from: 1, to: 2 }]);
  });

  it.skipIf(diskObstacle() !== undefined)('a full disk: a gap, and it goes on with room', async () => {
    const disk = await mountSmallDisk(8);
    try {
      const path = join(disk.path, 'recordings');
      const rig = await RecorderRig.open(path);
      rig.frame('before');
      await rig.recorder.tick();
      disk.fill();
      rig.pass(1000);
      rig.frame('lost with its block');
      await rig.recorder.tick();
      expect(rig.recorder.pausedBy).toBe('disk full');
      rig.frame('lost');
      rig.pass(60_000);
      await rig.recorder.tick();
      expect(rig.recorder.pausedBy).toBe('disk full');
      disk.clear();
      rig.pass(60_000);
      await rig.recorder.tick();
      rig.frame('after');
      await rig.recorder.stop();
      const [segment] = await verified(path);
      expect(segment).toMatchObject({ state: 'whole', gaps: [{ reason: 'disk full', records: 2 }] });
      expect(await texts(path)).toEqual(['text before', expect.stringMatching(/^gap /), 'text after']);
      expect(rig.recorder.counts.dropped).toBe(2);
    } finally {
      await disk.remove();
    }
  });

  it('planted secrets and addresses: in no segment, all else as it came', async () => {
    const path = join(folder, 'secrets');
    const rig = await RecorderRig.open(path, { own: ['203.0.113.7'] });
    const call = { line: MARKS, base: 'rest', method: 'POST', status: 200 } as const;
    rig.recorder.opened(MARKS, 0);
    rig.frame('{"welcome":"client 198.51.100.9"}', MARKS);
    for (let i = 0; i < 3; i++) rig.frame('{"version":"1.2.3.4"}', BOOKS);
    rig.frame('{"seen":"203.0.113.7","price":"1203.0.113.75"}', BOOKS);
    rig.frame('{"again":"198.51.100.9"}', BOOKS);
    const path1 = '/v1?symbol=BTC&apiKey=PLANTED1&signature=PLANTED2&from=1';
    const body = '{"token":"PLANTED3","coin":"BTC"}';
    rig.recorder.answer({ ...call, path: path1, body, payload: Buffer.from('{"ok":1}') });
    const refusal = Buffer.from('IP(2001:db8::5) banned, 192.0.2.44 too');
    rig.recorder.answer({ ...call, path: '/v1', body: 'a=1&secret=PLANTED4', status: 418, payload: refusal });
    await rig.recorder.stop();
    const all = await everyByte(path);
    expect(all).not.toMatch(/PLANTED|198\.51|"203\.0\.113\.7"|2001:db8|192\.0\.2/);
    expect(all).toContain('"version":"1.2.3.4"');
    expect(all).toContain('1203.0.113.75');
    expect(all).toContain('symbol=BTC&apiKey=***&signature=***&from=1');
    const records = await recordsIn(path);
    expect(records.filter(({ masked }) => masked)).toHaveLength(5);
    expect(records.at(-1)?.payload.toString()).toContain('banned');
  });
});

describe('retention', () => {
  it('segments that are too old or too much: removed, the oldest first', async () => {
    const path = join(folder, 'retention');
    const rig = await RecorderRig.open(path, { segmentBytes: 1 });
    for (let i = 0; i < 4; i++) {
      rig.frame(`${i}`);
      await rig.recorder.tick();
      rig.pass(60_000);
    }
    const [, second, third, fourth] = rig.folder.segments;
    await rig.folder.retain({ after: second?.from ?? 0, maxBytes: 1e9 });
    expect(rig.folder.segments.map(({ sequence }) => sequence)).toEqual([2, 3, 4]);
    await rig.folder.retain({ after: 0, maxBytes: (third?.bytes ?? 0) + (fourth?.bytes ?? 0) });
    expect(readdirSync(path).sort()).toEqual(['0000000003.pmrec', '0000000004.pmrec', 'index.json']);
    expect((await verified(path)).map(({ state }) => state)).toEqual(['whole', 'whole']);
  });
});
