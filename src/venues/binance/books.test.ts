import { expect, it } from 'vitest';
import { rigOf } from '../../../test/books/book-rig.ts';
import { best, spread } from '../../../test/books/replay-frames.ts';
import { describeRecorded, readLines, readPayload, sessionFrames } from '../../../test/books/sessions.ts';
import { describeKeepAlive } from '../../../test/venues/keep-alive.ts';
import { binance } from './index.ts';

const numbers = (rows: readonly (readonly [string, string])[]) =>
  rows.map(([price, size]) => [Number(price), Number(size)]);

describeRecorded('samples', 'recorded Binance books', () => {
  const entries = readPayload('samples', 'binance/index.json') as {
    file: string;
    expected?: { derived_by_replay: { applied: number; bids: [string, string][]; asks: [string, string][] } };
  }[];

  const run = async (symbol: string, skip?: number) => {
    const rig = rigOf(binance, symbol);
    const frames = readLines('samples', `binance/ws-depth-${symbol.toLowerCase()}.jsonl`);
    const seeded = 12;
    let taken = 0;
    for (const [i, frame] of frames.entries()) {
      if (i === seeded)
        await rig.ask().answer(readPayload('samples', `binance/depth-${symbol.toLowerCase()}.json`));
      if (i !== skip && rig.push(frame)) taken++;
    }
    return { rig, frames, taken, breaks: rig.books.stats().breaks };
  };

  it.each(['SUSHIUSDT', 'CTKUSDT'])(
    '%s: changes join the REST book and end where the index says',
    async (symbol) => {
      const { rig, frames, taken, breaks } = await run(symbol);
      const file = `ws-depth-${symbol.toLowerCase()}.jsonl`;
      const expected = entries.find((entry) => entry.file === file)?.expected?.derived_by_replay;
      expect(taken).toBe(frames.length);
      expect(breaks.gap + breaks.old_seed).toBe(0);
      expect(best(rig.levels(symbol))).toEqual({
        bids: numbers(expected?.bids ?? []),
        asks: numbers(expected?.asks ?? []),
      });
      expect(rig.quote(symbol)).toMatchObject({ source: 'stream', symbol });
    },
  );

  it.each(['SUSHIUSDT', 'CTKUSDT'])(
    '%s: a frame that is missing is found, and nothing is served',
    async (symbol) => {
      const { frames } = await run(symbol);
      for (const skip of spread(frames.length, 13)) {
        const { rig, breaks } = await run(symbol, skip);
        expect(breaks.gap, `without frame ${skip}`).toBe(1);
        expect(rig.levels(symbol)).toBeUndefined();
        expect(rig.quote(symbol)).toBeUndefined();
        // The changes since are held: a new REST book is all that it takes.
        rig.pass(500);
        expect(rig.asks).toHaveLength(1);
      }
    },
  );
});

describeRecorded('sessions', 'a recorded Binance session', () => {
  it('both contracts join their recorded REST books', async () => {
    const rig = rigOf(binance, 'SUSHIUSDT', 'CTKUSDT');
    const seeds = readLines('sessions', 'binance-usdm-2021-07.snapshots.jsonl').map(
      (line) => JSON.parse(line) as { url: string; body: string },
    );
    for (const [i, frame] of sessionFrames('binance-usdm-2021-07.jsonl').entries()) {
      if (i === 60) {
        for (const ask of [...rig.asks]) {
          const seed = seeds.find(({ url }) => url.includes(ask.symbol));
          await ask.answer(JSON.parse(seed?.body ?? 'null'));
        }
      }
      if (frame.includes('depthUpdate')) rig.push(frame);
    }
    expect(rig.books.stats()).toMatchObject({ live: 2, breaks: { gap: 0, old_seed: 0 } });
  });
});

describeKeepAlive(binance, {});
