import type { Instrument } from '../../domain/instrument.ts';
import { asMs } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { marketsDecoder } from './markets.ts';
import type { CcxtProfile } from './profile.ts';

/** 2026-11-20T13:20:00Z */
export const NOW = asMs(Date.UTC(2026, 10, 20, 13, 20));

export function makeProfile(profile: Partial<CcxtProfile> = {}): CcxtProfile {
  return {
    id: 'somewhere',
    displayName: 'Somewhere',
    kind: 'cex',
    fees: { swap: undefined, spotDefault: undefined },
    offers: () => true,
    ...profile,
  };
}

/** A market as ccxt's loadMarkets gives it. */
export function makeMarket(market: object = {}): Record<string, unknown> {
  return {
    id: 'BTCUSDT',
    symbol: 'BTC/USDT:USDT',
    base: 'BTC',
    baseId: 'BTC',
    quote: 'USDT',
    settle: 'USDT',
    type: 'swap',
    spot: false,
    swap: true,
    future: false,
    option: false,
    contract: true,
    linear: true,
    inverse: false,
    active: true,
    contractSize: 1,
    expiry: undefined,
    taker: 0.0006,
    info: {},
    ...market,
  };
}

/** A decoding context whose instruments are these markets. */
export function listing(
  markets: readonly Record<string, unknown>[] = [makeMarket()],
  marks: Readonly<Record<string, number>> = {},
): DecodeContext {
  const { instruments } = marketsDecoder(makeProfile())(markets, { instruments: new Map() });
  const bySymbol = new Map<string, Instrument>(
    instruments.map((instrument) => [instrument.symbol, instrument]),
  );
  return { instruments: bySymbol, receivedAt: NOW, markOf: (symbol) => marks[symbol] };
}
