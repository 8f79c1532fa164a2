import { describe, expect, test } from 'vitest';
import { memoryIdentityStore } from '../../test/market/memory-stores.ts';
import type { Instrument } from '../domain/instrument.ts';
import { changeIdentity } from './change-identity.ts';
import { createInstrumentIdentities } from './identity.ts';
import { makeInstrument, makeMarket } from './market-fixture.ts';
import { memoryDecisionStore } from './operator-decisions.ts';

/** A table of contracts of binance that an operator can pin. */
function listed(contracts: readonly Partial<Instrument>[]) {
  const identity = createInstrumentIdentities(memoryIdentityStore());
  const decisions = memoryDecisionStore();
  const fixture = makeMarket({ identity, decisions });
  fixture.list('binance', contracts);
  const pin = async (symbol: string, to: string) => {
    const request = { action: 'pin', venue: 'binance', symbol, to } as const;
    const made = await changeIdentity({ identity, decisions }, request, 'looked at', fixture.now());
    fixture.market.readDecisions();
    fixture.pass(1000);
    return made;
  };
  return { ...fixture, pin, identity };
}

describe('a pin of a contract to the id that it has', () => {
  const STX = { base: 'STX', assetClass: 'crypto' } as const;
  const USDC = { ...STX, symbol: 'STXUSDC', quote: 'USDC' } as const;

  test('makes its identity certain at once, also when listed again', async () => {
    const { market, quote, pin, pass, now } = listed([STX]);
    const row = () => market.view.row('binance', 'crypto:STX');
    // Far outside the curated range of the coin.
    quote('binance', { symbol: 'STXUSDT', mark: 909 });
    expect(row()).toMatchObject({ comparable: false, uncomparableReason: 'identity_uncertain' });
    expect(await pin('STXUSDT', 'crypto:STX')).toMatchObject({ ok: true });
    expect(row()).toMatchObject({ comparable: true, uncomparableReason: undefined });
    market.sink.instruments(
      'binance',
      [STX, USDC].map((symbol) => makeInstrument(symbol)),
      now(),
    );
    pass(1000);
    expect(row()).toMatchObject({ symbol: 'STXUSDT', comparable: true });
  });
});

describe('a pin of a contract to the id that it has, in the book of identities', () => {
  test('goes on with its range, since stored data goes by the beginning', async () => {
    const { pin, identity, pass } = listed([{ base: 'STX', assetClass: 'crypto' }]);
    const [before] = identity.recordsOf('binance', 'STXUSDT');
    pass(60_000);
    expect(await pin('STXUSDT', 'crypto:STX')).toMatchObject({ ok: true });
    expect(identity.recordsOf('binance', 'STXUSDT')).toEqual([{ ...before, basis: 'operator' }]);
  });
});

describe('a pin to an id', () => {
  test('takes any letters that names of venues have', async () => {
    const { market, pin, quote } = listed([{ base: '币安人生' }, { base: 'BNBLIFE' }]);
    quote('binance', { symbol: 'BNBLIFEUSDT', mark: 1 });
    expect(await pin('BNBLIFEUSDT', 'crypto:币安人生')).toMatchObject({ ok: true });
    expect(market.view.lists('binance', 'crypto:BNBLIFE')).toBe(false);
    expect(await pin('BNBLIFEUSDT', 'crypto:币安人生~2')).toMatchObject({ ok: true });
  });

  test.each([
    'crypto:btc',
    'crypto:B TC',
    'crypto:',
    'crypto:A/B',
    'crypto:A:B',
    'crypto:~2',
    'coin:BTC',
    'BTC',
  ])('is refused where %s is none', async (to) => {
    const { pin } = listed([{ base: 'AAA' }]);
    expect(await pin('AAAUSDT', to)).toMatchObject({
      ok: false,
      error: expect.stringContaining('is no id'),
    });
  });
});
