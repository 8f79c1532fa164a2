import { simBingx } from '@perpmeter/sim/venues/bingx';
import { expect, it } from 'vitest';
import { rigOf } from '../../../test/books/book-rig.ts';
import { describeGzipSocket } from '../../../test/books/gzip-socket.ts';
import { renumbered } from '../../../test/books/replay-frames.ts';
import { describeRecorded, readLines, readPayload } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { bingx } from './index.ts';

describeRecorded('samples', 'recorded BingX books', () => {
  const symbol = 'BTC-USDT';
  const [ack = '', snapshot = '', change = ''] = readLines('samples', 'bingx/ws-incrDepth-2026-09.jsonl');

  it('the change that comes next is applied; it deletes with decimals', () => {
    const rig = rigOf(bingx, symbol);
    for (const frame of [ack, snapshot, change]) rig.push(frame);
    expect(rig.levels(symbol)).toEqual({
      bids: [
        [86378.9, 0.0001],
        [86377.5, 0.0003],
        [86377.2, 18.0499],
        [86377, 0.0191],
        [86376.9, 0.0061],
      ],
      asks: [
        [86379.1, 87.123],
        [86379.3, 9.6687],
        [86379.4, 17.5938],
      ],
    });
  });

  it('skipped ids are no loss; a falling id is', () => {
    const rig = rigOf(bingx, symbol);
    rig.push(snapshot);
    rig.push(renumbered(change, 'lastUpdateId', 857550016));
    expect(rig.levels(symbol)?.bids[2]).toEqual([86377.2, 18.0499]);
    rig.push(change);
    expect(rig.levels(symbol)).toBeUndefined();
    expect(rig.renewed).toEqual([`${symbol}@incrDepth`]);
  });

  it('a REST book counts coins, where it has contracts as well', () => {
    const payload = readPayload('samples', 'bingx/depth-BTC-2025-03.json');
    const request = { method: 'GET', path: '/openApi/swap/v2/quote/depth?symbol=BTC-USDT', symbol } as const;
    const [book] = bingx.books?.rest?.call.decode(payload, { instruments: new Map(), request }).books ?? [];
    expect(book?.bids[0]).toEqual([83760.7, 0.0007]);
    expect(book?.asks.at(-1)).toEqual([83784.3, 0.0008]);
  });
});

describeGzipSocket({
  sim: simBingx,
  adapter: bingx,
  path: '/swap-market',
  isPing: (text) => text === 'Ping',
});

describeKeepAlive(bingx, { pong: ['Ping', 'Pong'] });
