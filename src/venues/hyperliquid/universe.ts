import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { isWire, readNumber, readText, wireArray } from '../../domain/read.ts';
import type { Reject } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import { asBps, asHours, type Bps } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import { baseOfCoin, type DexName, errorBody, type WireAsset, type WireMeta } from './wire.ts';

/** Dollar tokens that dexes hold as collateral, by spot token index (`spotMeta.tokens[].index`). */
const COLLATERAL: ReadonlyMap<number, string> = new Map([
  [0, 'USDC'],
  [360, 'USDH'],
  [235, 'USDE'],
  [268, 'USDT0'],
]);

/** Funding is paid every hour on every dex. */
export const HOURLY = asHours(1);

/** Taker fee of the main dex's base tier. */
export const BASE_TAKER_BPS = asBps(4.5);

/** Identifier of a dex's venue: `hyperliquid` or `hyperliquid-xyz`. */
export function venueIdOf(dex: DexName): VenueId {
  return dex === '' ? 'hyperliquid' : `hyperliquid-${dex}`;
}

/**
 * Taker fee of a builder-deployed asset in bps: 4.5 x (scale < 1 ? 1 + scale : 2 x scale), a tenth of it in
 * growth mode (the venue's published fee formula). Undefined where the row states no scale.
 */
function builderTakerBps(asset: WireAsset): Bps | undefined {
  const units = readNumber(asset.deployerFeeScale);
  if (units === undefined || units < 0 || units > 100) return undefined;
  const full = BASE_TAKER_BPS * (units < 1 ? 1 + units : 2 * units);
  return asBps(asset.growthMode === 'enabled' ? full / 10 : full);
}

/** Currency of a dex's collateral; USDC where a reply does not say; undefined for a token that is no known dollar. */
function collateralOf(meta: WireMeta): string | undefined {
  const index = meta.collateralToken;
  if (index === undefined || index === null) return 'USDC';
  const n = readNumber(index);
  return n === undefined ? undefined : COLLATERAL.get(n);
}

/**
 * One universe entry as a contract, or why it is left out. `altId` is its position: rows of context payloads
 * belong to it by that number, delisted entries counted.
 */
function readAsset(row: unknown, position: number, dex: DexName, collateral: string | undefined) {
  const asset: WireAsset | undefined = isWire(row) ? row : undefined;
  const symbol = readText(asset?.name);
  if (asset === undefined || symbol === undefined) {
    return rejected(null, 'malformed', `universe[${position}].name`);
  }
  const base = baseOfCoin(symbol, dex);
  if (base === undefined) return rejected(symbol, 'not_listed', 'of another dex');
  if (asset.isDelisted !== undefined && asset.isDelisted !== false && asset.isDelisted !== null) {
    return rejected(symbol, 'delisted');
  }
  if (collateral === undefined) return rejected(symbol, 'foreign_quote', 'collateralToken');
  const { ticker, multiplier } = baseName(base);
  const fee = dex === '' ? undefined : builderTakerBps(asset);
  const instrument: Instrument = {
    venue: venueIdOf(dex),
    symbol,
    base,
    ticker,
    multiplier,
    contractSize: 1,
    quote: collateral,
    settle: collateral,
    fundingIntervalHours: HOURLY,
    altId: String(position),
    ...(fee === undefined ? {} : { takerFeeBps: fee }),
  };
  return instrument;
}

function rejected(symbol: string | null, reason: Reject['reason'], detail?: string): Reject {
  return detail === undefined ? { symbol, reason } : { symbol, reason, detail };
}

const isReject = (entry: Instrument | Reject): entry is Reject => 'reason' in entry;

/**
 * Reads a dex's universe into `decoded` and returns the live contract of each position, undefined for the
 * positions that are left out. Undefined when there is no universe.
 */
export function readUniverse(
  meta: WireMeta,
  dex: DexName,
  decoded: Decoded,
): (Instrument | undefined)[] | undefined {
  const universe = wireArray(meta.universe);
  if (universe === undefined) return undefined;
  const collateral = collateralOf(meta);
  return universe.map((row, position) => {
    const entry = readAsset(row, position, dex, collateral);
    if (isReject(entry)) {
      decoded.rejects.push(entry);
      return undefined;
    }
    decoded.instruments.push(entry);
    return entry;
  });
}

/** `meta`: the listing of one dex. */
export function decodeMeta(payload: unknown, dex: DexName): Decoded {
  const decoded = emptyDecoded();
  const error = errorBody(payload);
  if (error !== undefined) decoded.rejects.push(error);
  else if (!isWire(payload) || readUniverse(payload, dex, decoded) === undefined) {
    decoded.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'universe' });
  }
  return decoded;
}

/** The dex whose coins a universe holds, from its first name; undefined for an empty or unreadable one. */
function dexOf(meta: WireMeta): DexName | undefined {
  const first = wireArray(meta.universe)?.[0];
  const name = isWire(first) ? readText(first.name) : undefined;
  if (name === undefined) return undefined;
  const colon = name.indexOf(':');
  return colon === -1 ? '' : name.slice(0, colon);
}

/** `allPerpMetas`: the listings of all dexes. Other dexes' entries are one reject each. */
export function decodeAllMetas(payload: unknown, dex: DexName): Decoded {
  const decoded = emptyDecoded();
  const error = errorBody(payload);
  const metas = wireArray(payload);
  if (error !== undefined) decoded.rejects.push(error);
  else if (metas === undefined) decoded.rejects.push({ symbol: null, reason: 'unexpected_shape' });
  metas?.forEach((meta, i) => {
    if (isWire(meta) && wireArray(meta.universe)?.length === 0) return;
    const owner = isWire(meta) ? dexOf(meta) : undefined;
    if (!isWire(meta) || owner === undefined) {
      decoded.rejects.push({ symbol: null, reason: 'malformed', detail: `[${i}].universe` });
    } else if (owner === dex) readUniverse(meta, dex, decoded);
    else decoded.rejects.push({ symbol: null, reason: 'not_listed', detail: `dex ${owner || '(main)'}` });
  });
  return decoded;
}

/** Names of the builder-deployed dexes of an `allPerpMetas` payload that have a live asset, each once. */
export function liveDexes(payload: unknown): DexName[] {
  const names = new Set<DexName>();
  for (const meta of wireArray(payload) ?? []) {
    const dex = isWire(meta) ? dexOf(meta) : undefined;
    if (dex === undefined || dex === '' || !isWire(meta)) continue;
    const decoded = emptyDecoded();
    readUniverse(meta, dex, decoded);
    if (decoded.instruments.length > 0) names.add(dex);
  }
  return [...names];
}
