import { describe, expect, it } from 'vitest';
import { BookRig, contract } from '../../../test/books/book-rig.ts';
import { describeRecorded, readLines } from '../../../test/books/sessions.ts';
import { describeKeepAlive, NOW } from '../../../test/venues/keep-alive.ts';
import { edgex } from './index.ts';

const CHANNEL = 'depth.30000005.200';
type Levels = readonly (readonly [string, string])[];

const keyed = (levels: Levels) => levels.map(([price, size]) => ({ price, size }));

function frame(kind: 'Snapshot' | 'changed', start: number, end: number, bids: Levels, asks: Levels): string {
  const head = { startVersion: String(start), endVersion: String(end), level: 200, contractId: '30000005' };
  const data = { ...head, contractName: 'SOLUSDC', asks: keyed(asks), bids: keyed(bids) };
  const content = { channel: CHANNEL, dataType: kind, data: [{ ...data, depthType: kind.toUpperCase() }] };
  return JSON.stringify({ type: 'quote-event', channel: CHANNEL, content });
}

const snapshot = (end: number): string =>
  frame(
    'Snapshot',
    end - 90,
    end,
    [
      ['149.9', '40'],
      ['149.8', '75.5'],
    ],
    [['150.1', '35']],
  );

function rigOf(...listed: readonly ReturnType<typeof contract>[]) {
  if (edgex.books === undefined) throw new Error('no books');
  const rig = new BookRig(edgex.books);
  rig.follow(...listed);
  return rig;
}

const SOL = contract('edgex', 'SOLUSDC', { altId: '30000005' });
const START = {
  bids: [
    [149.9, 40],
    [149.8, 75.5],
  ],
  asks: [[150.1, 35]],
};

describe('edgeX books', () => {
  it('are subscribed to by the number of the contract', () => {
    const stream = edgex.books?.stream;
    expect(stream?.topicOf(SOL)).toBe(CHANNEL);
    expect(stream?.topicOf(contract('edgex', 'SOLUSDC'))).toBeUndefined();
    expect(stream?.subscribe([CHANNEL], 1)).toEqual([`{"type":"subscribe","channel":"${CHANNEL}"}`]);
    expect(stream?.pong?.({ type: 'ping', time: '17' })).toBe('{"type":"pong","time":"17"}');
    expect(edgex.books?.rest?.request(SOL).path).toContain('getDepth?contractId=30000005&level=200');
  });

  it('chain from the end of one message to the start of the next', () => {
    const rig = rigOf(SOL);
    rig.push(snapshot(1000));
    expect(rig.levels('SOLUSDC')).toEqual(START);
    rig.push(frame('changed', 1000, 1040, [['149.9', '0.000']], []));
    rig.push(frame('changed', 1040, 1041, [], [['150', '2']]));
    expect(rig.levels('SOLUSDC')).toEqual({
      bids: [[149.8, 75.5]],
      asks: [
        [150, 2],
        [150.1, 35],
      ],
    });
  });

  it('are invalidated by a missing message and resynchronised', () => {
    const rig = rigOf(SOL);
    rig.push(snapshot(1000));
    rig.push(frame('changed', 1040, 1041, [['149.9', '1']], []));
    expect(rig.levels('SOLUSDC')).toBeUndefined();
    expect(rig.renewed).toEqual([CHANNEL]);
    rig.push(snapshot(1041));
    expect(rig.levels('SOLUSDC')).toEqual(START);
  });

  it('apply the deltas buffered before a late snapshot', () => {
    const rig = rigOf(SOL);
    rig.push(frame('changed', 1000, 1040, [['149.9', '7']], []));
    rig.push(frame('changed', 1040, 1041, [['149.8', '0.000']], []));
    expect(rig.levels('SOLUSDC')).toBeUndefined();
    rig.push(snapshot(1000));
    expect(rig.levels('SOLUSDC')?.bids).toEqual([[149.9, 7]]);
  });
});

describeRecorded('samples', 'recorded edgeX book', () => {
  it('only the delta of its version follows a snapshot', () => {
    const [text = ''] = readLines('samples', 'edgex/ws-depth.jsonl');
    const change = (start: number): string =>
      text
        .replace(
          '"startVersion":"2070150099","endVersion":"2070150189"',
          `"startVersion":"${start}","endVersion":"${start + 9}"`,
        )
        .replace('SNAPSHOT', 'CHANGED');
    const run = (start: number) => {
      const rig = rigOf(contract('edgex', 'BTCUSDC', { altId: '30000001' }));
      rig.push(text);
      rig.push(change(start));
      return rig.levels('BTCUSDC');
    };
    expect(run(2_070_150_189)).toEqual({
      bids: [[82862.5, 0.677]],
      asks: [
        [82862.8, 0.551],
        [82862.9, 0.883],
      ],
    });
    expect(run(2_070_150_190)).toBeUndefined();
  });
});

describeKeepAlive(edgex, {
  ping: { type: 'ping', time: String(NOW) },
  pong: [
    { type: 'ping', time: '1761069137485' },
    { type: 'pong', time: '1761069137485' },
  ],
});
