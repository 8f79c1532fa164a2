import type { BaseName } from '../../domain/base-names.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { AssetClass } from '../../domain/instrument.ts';
import { isWire, readHours, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import { fieldFault } from '../field-fault.ts';
import { eachRow } from '../rows.ts';
import { bodyOf, SECONDS } from './rows.ts';

/** `TradFi` holds shares, indices and metals alike: no coin, and no more is said. */
const CLASSES: Readonly<Record<string, AssetClass>> = {
  Normal: 'crypto',
  PreMarket: 'prelaunch',
  TradFi: 'unknown',
};

/** `GET /public/products`: contracts in `perpProductsV2`; coin-margined contracts and spot pairs in `products`. */
export function decodeProducts(payload: unknown): Decoded {
  const out = emptyDecoded();
  const body = bodyOf(payload, out);
  if (out.rejects.length > 0) return out;
  for (const rows of listsOf(body))
    eachRow(rows, 'symbol', out, (row, symbol) => listProduct(out, row, symbol));
  return out;
}

function listsOf(body: unknown): readonly unknown[] {
  if (!isWire(body)) return [body];
  const lists = [body.perpProductsV2, body.products, body.perpProductsPilot].flatMap((x) => {
    const list = wireArray(x);
    return list === undefined ? [] : [list];
  });
  return lists.length > 0 ? lists : [body];
}

/** Why a product is none of ours. */
function outOfScope(row: Wire): OutOfScopeReason | undefined {
  const { type, status, quoteCurrency } = row;
  const settle = row.settleCurrency ?? row.settlementCurrency;
  if (type === 'Spot') return 'spot';
  if (type === 'Perpetual' && settle !== quoteCurrency) return 'inverse';
  if (status === 'Delisted') return 'delisted';
  if (status !== 'Listed') return 'not_trading';
  if (type !== 'PerpetualV2') return 'foreign_quote';
  return settle === quoteCurrency && (settle === 'USDT' || settle === 'USDC') ? undefined : 'foreign_quote';
}

/** Name of the base: `1000 PEPE` states how many coins one of it is. */
function nameOf(currency: string): BaseName & { readonly base: string } {
  const [, count, coin] = /^(10+) (\S+)$/.exec(currency) ?? [];
  if (count === undefined || coin === undefined) return { base: currency, ...baseName(currency) };
  return { base: count + coin, ticker: baseName(coin).ticker, multiplier: Number(count) };
}

function listProduct(out: Decoded, row: Wire, symbol: string): void {
  if (readText(row.type) === undefined) {
    out.rejects.push(fieldFault(symbol, 'type', row.type));
    return;
  }
  const reason = outOfScope(row);
  if (reason !== undefined) {
    out.rejects.push({ symbol, reason });
    return;
  }
  const currency = readText(row.baseCurrency) ?? readText(row.contractUnderlyingAssets);
  const quote = readText(row.quoteCurrency);
  if (currency === undefined || quote === undefined) {
    out.rejects.push({ symbol, reason: 'missing_field', detail: 'baseCurrency' });
    return;
  }
  const assetClass = CLASSES[String(row.perpProductSubType)];
  const hours = readHours(row.fundingInterval, SECONDS);
  const indexId = readText(row.indexSymbol);
  out.instruments.push({
    venue: 'phemex',
    symbol,
    ...nameOf(currency),
    contractSize: 1,
    quote,
    settle: quote,
    ...(assetClass === undefined ? {} : { assetClass }),
    ...(hours === undefined ? {} : { fundingIntervalHours: hours }),
    ...(indexId === undefined ? {} : { indexId }),
  });
}
