import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { printable } from '../../domain/printable.ts';
import { readNumber, readText, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason, Reject } from '../../domain/reject.ts';
import { isReadableSymbol } from '../../domain/symbol.ts';
import { baseName } from '../../domain/ticker.ts';
import type { Decoder } from '../adapter.ts';
import { readTakerFeeBps } from '../taker-fee.ts';
import type { CcxtFees, CcxtProfile } from './profile.ts';
import { eachUnified } from './unified-rows.ts';

/** The dollar and its stablecoins by ccxt's currency codes. */
const DOLLARS: ReadonlySet<string> = new Set(
  'USD USDT USDC USDE USD1 USDF USDG USDH USDS USDD FDUSD PYUSD TUSD BUSD DAI'.split(' '),
);

/**
 * Reads `loadMarkets`: linear perpetuals in dollars that are not said to be inactive become instruments. The symbol
 * is the venue's own, `altId` ccxt's; the base is ccxt's currency code, under which it tells coins of one name apart.
 */
export function marketsDecoder(profile: CcxtProfile): Decoder {
  return (payload) => {
    const out = emptyDecoded();
    const ids = new Set<string>();
    eachUnified(payload, out, (market, unified) => {
      const reason = outOfScopeReason(market);
      if (reason !== undefined) out.rejects.push({ symbol: unified, reason });
      else readMarket(market, unified, profile, ids, out);
    });
    return out;
  };
}

/**
 * The reason for which a market is no live linear perpetual in dollars. Activity that is not stated is no
 * reason.
 */
function outOfScopeReason(market: Wire): OutOfScopeReason | undefined {
  if (market.swap !== true) {
    if (market.option === true) return 'option';
    return market.future === true ? 'dated' : 'spot';
  }
  if (market.linear !== true) return market.inverse === true ? 'inverse' : 'quanto';
  if (market.quanto === true) return 'quanto';
  if (readNumber(market.expiry) !== undefined) return 'dated';
  if (!DOLLARS.has(String(market.quote)) || !DOLLARS.has(String(market.settle))) return 'foreign_quote';
  return market.active === false ? 'not_trading' : undefined;
}

function readMarket(
  market: Wire,
  unified: string,
  profile: CcxtProfile,
  ids: Set<string>,
  out: Decoded,
): void {
  const instrument = instrumentOf(market, unified, profile);
  if ('reason' in instrument) out.rejects.push(instrument);
  else if (ids.has(instrument.symbol)) {
    const detail = `second market ${instrument.symbol}`;
    out.rejects.push({ symbol: unified, reason: 'malformed', detail });
  } else {
    ids.add(instrument.symbol);
    out.instruments.push(instrument);
  }
}

function instrumentOf(market: Wire, unified: string, profile: CcxtProfile): Instrument | Reject {
  const symbol = readText(market.id);
  const base = readText(market.base);
  const contractSize = readNumber(market.contractSize);
  const missing = { symbol: unified, reason: 'missing_field' } as const;
  if (symbol === undefined) return { ...missing, detail: 'id' };
  if (base === undefined) return { ...missing, detail: 'base' };
  const hidden = [symbol, unified, base].find((name) => !isReadableSymbol(name));
  if (hidden !== undefined) {
    return { symbol: null, reason: 'unreadable_symbol', detail: printable(hidden) };
  }
  if (contractSize === undefined) return { ...missing, detail: 'contractSize' };
  if (!(contractSize > 0)) return { symbol: unified, reason: 'out_of_range', detail: 'contractSize' };
  const takerFeeBps = readTakerFeeBps(takerFee(market, profile.fees));
  return {
    venue: profile.id,
    symbol,
    altId: unified,
    base,
    ...baseName(base),
    contractSize,
    quote: String(market.quote),
    settle: String(market.settle),
    ...(market.stock === true && { assetClass: 'equity' as const }),
    ...(takerFeeBps !== undefined && { takerFeeBps }),
  };
}

/** The fee a market states itself; ccxt fills gaps with spot's, which says nothing of a swap. */
function takerFee(market: Wire, fees: CcxtFees): number | undefined {
  const stated = readNumber(market.taker);
  return stated === undefined || stated === fees.spotDefault ? fees.swap : stated;
}
