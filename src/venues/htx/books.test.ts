import { simHtx } from '@perpmeter/sim/venues/htx';
import { expect, it } from 'vitest';
import { rigOf } from '../../../test/books/book-rig.ts';
import { describeGzipSocket } from '../../../test/books/gzip-socket.ts';
import { renumbered } from '../../../test/books/replay-frames.ts';
import { describeRecorded, readLines } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { htx } from './index.ts';

describeRecorded('samples', 'recorded HTX books', () => {
  const symbol = 'BTC-USDT';
  const [ack = '', snapshot = '', change = '', ping = ''] = readLines(
    'samples',
    'htx/ws-depth-incremental-2026-09.jsonl',
  );

  it('the delta follows the snapshot by version', () => {
    const rig = rigOf(htx, symbol);
    for (const frame of [ack, snapshot, change]) rig.push(frame);
    expect(rig.levels(symbol)).toEqual({
      bids: [
        [86859.8, 6172],
        [86858.5, 147],
        [86858.4, 306],
        [86853.4, 2],
      ],
      asks: [
        [86859.9, 817],
        [86864.5, 14],
        [86864.6, 135],
      ],
    });
    expect(rig.quote(symbol)?.source).toBe('stream');
  });

  it('a missing version is detected, and the topic is subscribed to again', () => {
    const rig = rigOf(htx, symbol);
    rig.push(snapshot);
    rig.push(renumbered(change, 'version', 1789895280799));
    expect(rig.levels(symbol)).toBeUndefined();
    expect(rig.books.stats().breaks.gap).toBe(1);
    expect(rig.renewed).toEqual([`market.${symbol}.depth.size_150.high_freq`]);
  });

  it('a ping is answered with its number', () => {
    const pong = htx.books?.stream?.pong?.(JSON.parse(ping)) ?? '{}';
    expect(JSON.parse(pong)).toEqual({ pong: 1790134831961 });
    expect(htx.books?.stream?.pong?.(JSON.parse(change))).toBeUndefined();
  });
});

describeGzipSocket({
  sim: simHtx,
  adapter: htx,
  path: '/linear-swap-ws',
  isPing: (text) => /"ping"/.test(text),
});

describeKeepAlive(htx, { pong: [{ ping: 1761069137485 }, { pong: 1761069137485 }] });
