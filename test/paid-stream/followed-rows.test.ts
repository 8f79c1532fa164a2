import { afterEach, describe, expect, it } from 'vitest';
import { LiveRows } from '../../packages/client/src/follow/live-rows.ts';
import type { StreamedEvent } from '../../packages/client/src/follow/options.ts';
import { asBps } from '../../src/domain/units.ts';
import { TOPICS } from '../../src/modules/paid-stream/topic-names.ts';
import { streamMarket, streamRig } from './stream-rig.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Two venues with books, whose rates are far apart. */
function openRig() {
  const market = streamMarket();
  for (const venue of ['binance', 'okx']) market.list(venue, ['BTC'], { takerFeeBps: asBps(5) });
  const quote = (venue: string, rate: number): void =>
    market.quote(venue, { symbol: 'BTCUSDT', mark: 100, index: 100, rate, interval: 8 });
  quote('binance', 0.0001);
  quote('okx', 0.002);
  market.pass(0);
  for (const venue of ['binance', 'okx']) market.fillBook(venue, 99.99, 100.01, 1000);
  const rig = streamRig(market);
  closing.push(() => rig.close());
  return { market, rig, quote };
}

describe('rows of a stream, as a client holds them', () => {
  it.each(TOPICS)('%s: those that are gone go by the names told', async (topic) => {
    const { market, rig, quote } = openRig();
    const topics = topic === 'funding' ? topic : `${topic},funding`;
    const { sink } = await rig.read(rig.buy(30, { topics, symbol: 'BTC' }));
    const all = { funding: new Map(), touches: new Map(), quotes: new Map(), signals: new Map() };
    const rows = new LiveRows(all);
    const take = (): void => {
      for (const { id, event, data } of sink.heard.splice(0))
        expect(rows.take({ ...data, id, event } as StreamedEvent)).toBe(true);
    };
    take();
    const names = [...all[topic].keys()];
    market.pass(61_000);
    quote('binance', 0.0001);
    rig.turn();
    const gone: readonly string[] = sink.heard.flatMap(({ data }) => data.topics?.[topic]?.gone ?? []);
    take();
    expect(gone.length).toBeGreaterThan(0);
    expect(names).toEqual(expect.arrayContaining([...gone]));
    expect([...all[topic].keys()]).toEqual(names.filter((name) => !gone.includes(name)));
  });
});
