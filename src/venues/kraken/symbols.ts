import type { OutOfScopeReason } from '../../domain/reject.ts';
import type { DecodeContext } from '../adapter.ts';
import type { UnitsLookup } from '../contract-rows.ts';
import { baseOfParsed, contractUnitsOf, type ParsedSymbol } from '../contract-units.ts';

/** Old names that the venue itself maps: newer rows state `base: "BTC"` beside `PF_XBTUSD`. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['XBT', 'BTC'],
  ['XDG', 'DOGE'],
]);

/** Kinds of product by the prefix of the symbol; `IN_` and `RR_` are indices. */
const KINDS: Readonly<Record<string, OutOfScopeReason>> = {
  PF_: 'foreign_quote',
  PI_: 'inverse',
  FI_: 'dated',
  FF_: 'dated',
  FV_: 'dated',
  PV_: 'quanto',
  OF_: 'option',
};

const LINEAR = /^PF_(.+)USD$/i;
/** Pairs of the spot venue: `XBT/USD`, `XXBTZUSD`. */
const PAIR = /^[^_/]+(?:\/[^_/]+|(?:USD[CT]?|EUR))$/i;
/** Tokenised shares carry a lower-case x. */
const SHARE = /^([A-Z0-9.]+)x$/;

/** A base with the venue's old names replaced: `BTC` of `XBT`. */
export function renamed(base: string): string {
  return RENAMED.get(base) ?? base;
}

/** `PF_XBTUSD` is linear; a symbol of the years in which all were written small is read in capitals. */
function parseSymbol(symbol: string): ParsedSymbol {
  const named = LINEAR.exec(symbol)?.[1];
  if (named !== undefined) {
    const base = symbol.startsWith('pf_') ? named.toUpperCase() : named;
    return { base: renamed(base) };
  }
  if (PAIR.test(symbol)) return 'spot';
  return KINDS[symbol.slice(0, 3).toUpperCase()] ?? 'not_listed';
}

/** Whether a base names a tokenised share. */
export function isShare(base: string): boolean {
  return SHARE.test(base);
}

/** A base without the mark of a tokenised share: `AAPL` of `AAPLx`. */
export function plainBase(base: string): string {
  return SHARE.exec(base)?.[1] ?? base;
}

/** The base that a symbol spells, with the venue's old names replaced: `BTC` of `PF_XBTUSD`. */
export function namedBase(symbol: string): string | undefined {
  return baseOfParsed(parseSymbol(symbol));
}

/** The asset that a symbol spells: `BTC` of `PF_XBTUSD`, `AAPL` of `PF_AAPLxUSD`. */
export function baseOf(symbol: string): string | undefined {
  const base = namedBase(symbol);
  return base === undefined ? undefined : plainBase(base);
}

/** Why a symbol is no linear perpetual's. */
export function outOfScopeKind(symbol: string): OutOfScopeReason {
  const parsed = parseSymbol(symbol);
  return typeof parsed === 'string' ? parsed : 'not_listed';
}

/** Sizes count base units: one contract is one unit. */
export const unitsOf: UnitsLookup = (context, symbol) => contractUnitsOf(context, symbol, parseSymbol, 1);

const listedSymbols = new WeakMap<DecodeContext['instruments'], ReadonlyMap<string, string>>();

/** The symbol as the list of contracts spells it; recordings differ in case. */
export function listedSymbol(context: DecodeContext, symbol: string): string {
  const { instruments } = context;
  if (instruments.has(symbol) || instruments.size === 0) return symbol;
  let index = listedSymbols.get(instruments);
  if (index?.size !== instruments.size) {
    index = new Map([...instruments.keys()].map((one) => [one.toLowerCase(), one]));
    listedSymbols.set(instruments, index);
  }
  return index.get(symbol.toLowerCase()) ?? symbol;
}
