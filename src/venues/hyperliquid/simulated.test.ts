import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { describe, expect, it } from 'vitest';
import { pairingsOf, renderRequest, runAdapter } from '../../../test/venues/sim-run.ts';
import {
  AT,
  ask,
  contextFor,
  contract,
  expectBook,
  expectSettled,
  paired,
  read,
  sim,
  world,
} from '../../../test/venues/simulated-reads.ts';
import { asMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import { callsOf } from '../adapter.ts';
import { hyperliquidDex } from './index.ts';

describe('simulated hyperliquid', () => {
  it('states the book of kPEPE over REST', () => {
    expectBook('hyperliquid', 'kPEPE', '/info', { type: 'l2Book', coin: 'kPEPE' });
  });

  it('states the book of xyz:NVDA over REST', () => {
    expectBook('hyperliquid-xyz', 'xyz:NVDA', '/info', { type: 'l2Book', coin: 'xyz:NVDA' });
  });

  it('states the rates charged', () => {
    const startTime = AT - 24 * HOUR_MS;
    expectSettled('hyperliquid', 'BTC', '/info', { type: 'fundingHistory', coin: 'BTC', startTime });
  });

  it('gives at most 500 rows a page', () => {
    const startTime = AT - 900 * HOUR_MS;
    const { funding } = read('hyperliquid', '/info', { type: 'fundingHistory', coin: 'BTC', startTime });
    expect(funding).toHaveLength(500);
    expect(funding[0]?.time).toBe(Math.ceil(startTime / HOUR_MS) * HOUR_MS);
  });

  it.each([
    ['GET', '', 405, ''],
    ['POST', '{"type":', 400, 'Failed to parse the request body as JSON'],
    ['POST', '{"type":"nope"}', 422, 'Failed to deserialize the JSON body into the target type'],
    ['POST', '{"type":"metaAndAssetCtxs","dex":"nope"}', 500, 'null'],
    ['POST', '{"type":"fundingHistory","coin":"NOPE","startTime":0}', 500, 'null'],
    ['POST', '{"type":"l2Book","coin":"NOPE"}', 200, 'null'],
  ])('refuses %s %s', (method, body, status, answer) => {
    expect(ask('hyperliquid', method, '/info', body)).toMatchObject({ status, body: answer });
  });
});

describe('hyperliquid’s dexes', () => {
  it('retired ones answer with frozen rows and are not discovered', () => {
    const { adapter } = paired('hyperliquid');
    const found = pairingsOf([adapter], SIM_VENUES, world, AT).map((pairing) => pairing.adapter.id);
    expect(found).toEqual([
      'hyperliquid',
      ...['xyz', 'para', 'io', 'mkts'].map((dex) => `hyperliquid-${dex}`),
    ]);
    const flx = hyperliquidDex('flx');
    const bulk = flx.polls[1]?.requests({ instruments: [], now: asMs(AT) })[0];
    if (bulk === undefined) throw new Error('no bulk call');
    const pairing = { ...paired('hyperliquid'), adapter: flx };
    const [now, later] = [AT, AT + HOUR_MS].map((t) => renderRequest(pairing, world, bulk, t)?.body);
    expect(now).toBe(later);
    const decoded = flx.polls[1]?.call.decode(JSON.parse(now ?? ''), { instruments: new Map() });
    expect(decoded?.quotes).toEqual([]);
    expect(decoded?.rejects).toHaveLength(16);
    expect(decoded?.rejects.every((reject) => reject.reason === 'delisted')).toBe(true);
  });

  function socket() {
    const frames: string[] = [];
    let closed = false;
    const session = sim('hyperliquid').socket?.(
      {
        path: '/ws',
        send: (frame) => void frames.push(String(frame)),
        close: () => {
          closed = true;
        },
      },
      world,
    );
    session?.onTick(AT);
    return {
      say: (message: object) => session?.onMessage(JSON.stringify(message)),
      frames: () => frames.splice(0).map((frame): unknown => JSON.parse(frame)),
      isClosed: () => closed,
    };
  }

  it('the all-dex push gives every dex what its bulk call gives', () => {
    const { say, frames } = socket();
    say({ method: 'subscribe', subscription: { type: 'allDexsAssetCtxs' } });
    const [, push] = frames();
    for (const id of [
      'hyperliquid',
      'hyperliquid-xyz',
      'hyperliquid-para',
      'hyperliquid-io',
      'hyperliquid-mkts',
    ]) {
      const pairing = paired(id);
      const run = runAdapter(pairing, world, AT);
      const call = callsOf(pairing.adapter).find((call) => call.name === 'allDexsAssetCtxs');
      const decoded = call?.decode(push, { instruments: run.instruments, receivedAt: asMs(AT) });
      expect(new Map(decoded?.quotes.map((quote) => [quote.symbol, quote])), id).toEqual(run.quotes);
      expect(decoded?.rejects.filter((reject) => reject.reason === 'position_mismatch')).toEqual([]);
    }
  });

  it('books, touch and context by coin; an unknown coin closes the socket', () => {
    const { say, frames, isClosed } = socket();
    for (const type of ['l2Book', 'bbo', 'activeAssetCtx']) {
      say({ method: 'subscribe', subscription: { type, coin: 'xyz:NVDA' } });
    }
    const { adapter } = paired('hyperliquid-xyz');
    const call = callsOf(adapter).find((call) => call.name === 'l2Book');
    const decoded = frames().map((frame) => call?.decode(frame, { instruments: contextFor(adapter.id) }));
    expect(decoded.flatMap((d) => d?.rejects)).toEqual([]);
    const [book] = decoded.flatMap((d) => d?.books ?? []);
    const [touch, context] = decoded.flatMap((d) => d?.quotes ?? []);
    expect([touch?.bestBid, touch?.bestAsk]).toEqual([book?.bids[0]?.[0], book?.asks[0]?.[0]]);
    expect(context?.markPrice).toBeCloseTo(world.mark(contract('hyperliquid-xyz', 'xyz:NVDA'), AT), 3);
    say({ method: 'subscribe', subscription: { type: 'l2Book', coin: 'XYZ:NVDA' } });
    expect(isClosed()).toBe(true);
  });
});
