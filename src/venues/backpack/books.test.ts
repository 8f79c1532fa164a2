import { expect, it } from 'vitest';
import { rigOf } from '../../../test/books/book-rig.ts';
import { describeRecorded, readLines, readPayload } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { backpack } from './index.ts';

describeRecorded('samples', 'recorded Backpack books', () => {
  const symbol = 'BTC_USDC_PERP';
  const [change = ''] = readLines('samples', 'backpack/ws-depth.jsonl');
  const depth = readPayload('samples', 'backpack/depth.json') as object;
  const levels = { bids: [['86700', '1.0']], asks: [['86700.5', '2.0']] };

  const run = async (lastUpdateId: string, sides: object = {}) => {
    const rig = rigOf(backpack, symbol);
    rig.push(change);
    // The two were recorded a year apart: a change that the answer holds and that is so much later would be of another count.
    await rig.ask().answer({ ...depth, ...sides, lastUpdateId, timestamp: 1_790_134_357_267_074 });
    return rig;
  };

  it('joins the delta that starts right after the REST snapshot', async () => {
    const rig = await run('6730019257');
    expect(rig.books.stats()).toMatchObject({ live: 1, breaks: { gap: 0, old_seed: 0 } });
    expect(rig.levels(symbol)?.bids[0]).toEqual([86655.9, 1.9423]);
  });

  it('requests again where a delta between them is missing', async () => {
    const rig = await run('6730019256');
    expect(rig.books.stats()).toMatchObject({ live: 0, breaks: { old_seed: 1 } });
    expect(rig.levels(symbol)).toBeUndefined();
  });

  it('finds the level of REST under the price that the stream writes longer', async () => {
    const rig = await run('6730019258', levels);
    rig.push(
      change
        .replace('"U":6730019258', '"U":6730019259')
        .replace('"u":6730019258', '"u":6730019260')
        .replace('["86655.9","1.94230"]', '["86700.0","0.00000"]'),
    );
    expect(rig.levels(symbol)).toEqual({ bids: [], asks: [[86700.5, 2]] });
  });
});

describeKeepAlive(backpack, {});
