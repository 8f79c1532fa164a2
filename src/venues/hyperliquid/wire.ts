import type { Published } from '../../domain/amount.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { isWire, readNumber, readText, type Wire, wireArray } from '../../domain/read.ts';
import { asBps, asHours, asRate, type Bps } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { DecodeContext } from '../call.ts';
import { rejectError, rejectShape, type UnwrapEnvelope } from '../grammar/answer.ts';
import { type ContractTable, readContract } from '../grammar/contract.ts';
import { derived, type Field, price, rate, required } from '../grammar/field.ts';
import { amount, quotes } from '../grammar/quote.ts';
import { takeEach, takeOf } from '../grammar/rows.ts';
import { type Symbols, symbols } from '../grammar/symbols.ts';
import { nextHour } from '../hour.ts';
import { TERMS } from './terms.ts';

/** The venue's rule: no rate is larger, either way, an hour, on every dex. */
const LARGEST_RATE = asRate(0.04);

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'metaAndAssetCtxs `openInterest`',
    unit: 'base',
    sides: 'two',
    evidence:
      'public fifteen-minute record of raw BTC open interest, September and October 2026: 93 of 93 counts of lots even; DefiLlama halves it',
    date: '2026-10',
    confidence: 'high',
  },
  volume: {
    field: 'metaAndAssetCtxs `dayNtlVlm`',
    unit: 'quote',
    sides: 'one',
    evidence: 'half of the recorded `dayBaseVlm` are odd counts of lots',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'info',
    date: '2026-10-10',
    source:
      'record of answered calls (mannoj93-spec/jbm-desk-data); books of 20 levels come every five seconds since 2026-07-25',
  },
};

/** The main dex is the empty string, as in the venue's own frames; a builder-deployed dex has a lower-case name. */
export type DexName = string;

/** Reads an answer or the content of a frame, for one dex; rows of others are recognized by their names. */
export type DexDecoder = (payload: unknown, context: DecodeContext, dex: DexName) => Decoded;

/** Dollar tokens that dexes hold as collateral, by spot token index (`spotMeta.tokens[].index`). */
const COLLATERAL: ReadonlyMap<number | undefined, string> = new Map([
  [0, 'USDC'],
  [360, 'USDH'],
  [235, 'USDE'],
  [268, 'USDT0'],
]);

/** Funding is paid every hour on every dex. */
const HOURLY = asHours(1);

/** Taker fee of the main dex's base tier. */
export const BASE_TAKER_BPS = asBps(4.5);

/** Identifier of a dex's venue: `hyperliquid` or `hyperliquid-xyz`. */
export const venueIdOf = (dex: DexName): VenueId => (dex === '' ? 'hyperliquid' : `hyperliquid-${dex}`);

/** `kPEPE` on the main dex, `xyz:NVDA` on another. Sizes count the base as named, thousands of tokens for k-names. */
export const symbolsOf = (dex: DexName): Symbols =>
  symbols({ linear: dex === '' ? /^([^:]+)$/ : new RegExp(`^${dex}:(.+)$`), rest: 'not_listed' }, 1);

/** Errors come as text, or as `null` with status 500 (or 200 for a book of an unknown coin). */
export const open: UnwrapEnvelope = (payload, out) => {
  if (payload === null) return rejectError(out, 'null', undefined);
  return typeof payload === 'string' ? rejectError(out, undefined, payload.slice(0, 120)) : payload;
};

const MODES: ReadonlySet<unknown> = new Set([undefined, null, '', 'disabled', 'enabled']);

/**
 * Taker fee of a builder-deployed asset in bps: 4.5 x (scale < 1 ? 1 + scale : 2 x scale), a tenth of it in
 * growth mode (the venue's published fee formula). Undefined where the row states no scale, or a mode that is not known.
 */
const BUILDER_FEE: Field<Bps> = {
  name: 'deployerFeeScale, growthMode',
  raw: ({ deployerFeeScale, growthMode }) => (MODES.has(growthMode) ? deployerFeeScale : [growthMode]),
  read: (raw, { wire: { growthMode } }) => {
    const units = MODES.has(growthMode) ? readNumber(raw) : undefined;
    if (units === undefined || units < 0 || units > 100) return undefined;
    const full = BASE_TAKER_BPS * (units < 1 ? 1 + units : 2 * units);
    return asBps(growthMode === 'enabled' ? full / 10 : full);
  },
};

/** Currency of a dex's collateral; USDC where a reply does not say; undefined for a token that is no known dollar. */
function collateralOf({ collateralToken: index }: Wire): string | undefined {
  return (index ?? undefined) === undefined ? 'USDC' : COLLATERAL.get(readNumber(index));
}

/** `altId` is the place in the universe: rows of context payloads belong to it by that number, delisted ones counted. */
function contractTable(dex: DexName, collateral: string | undefined): ContractTable {
  const { baseOf } = symbolsOf(dex);
  return {
    venue: venueIdOf(dex),
    symbol: 'name',
    leftOut: ({ isDelisted }, symbol) => {
      if (baseOf(symbol) === undefined) return { symbol, reason: 'not_listed', detail: 'of another dex' };
      if ((isDelisted ?? false) !== false) return 'delisted';
      return collateral === undefined
        ? { symbol, reason: 'foreign_quote', detail: 'collateralToken' }
        : undefined;
    },
    base: derived(({ symbol }) => baseOf(symbol)),
    quote: collateral ?? '',
    contractSize: 1,
    fundingCap: LARGEST_RATE,
    fundingFloor: asRate(-LARGEST_RATE),
    fundingIntervalHours: HOURLY,
    terms: TERMS,
    altId: derived(({ wire }) => String(wire.position)),
    ...(dex !== '' && { takerFeeBps: BUILDER_FEE }),
  };
}

/**
 * Reads a dex's universe into `out` and returns the live contract of each position, undefined for the positions that
 * are left out. Undefined when there is no universe.
 */
function readUniverse(
  meta: Wire,
  context: DecodeContext,
  dex: DexName,
  out: Decoded,
): (Instrument | undefined)[] | undefined {
  const table = contractTable(dex, collateralOf(meta));
  return wireArray(meta.universe)?.map((row, position) => {
    const found = readContract(table, isWire(row) ? { ...row, position } : row, context, out.rejects);
    if ('reason' in found) {
      out.rejects.push(found);
      return undefined;
    }
    out.instruments.push(found);
    return found;
  });
}

/** `meta`: the listing of one dex. */
export const decodeMeta: DexDecoder = (payload, context, dex) => {
  const out = emptyDecoded();
  const meta = open(payload, out);
  if (out.rejects.length > 0) return out;
  if (!isWire(meta) || readUniverse(meta, context, dex, out) === undefined) rejectShape(out, 'universe');
  return out;
};

/** The dex whose coins a universe holds, from its first name; undefined for an empty or unreadable one. */
function dexOf(meta: unknown): DexName | undefined {
  const first = isWire(meta) ? wireArray(meta.universe)?.[0] : undefined;
  const name = isWire(first) ? readText(first.name) : undefined;
  return name === undefined || name.includes(':') ? name?.split(':', 1)[0] : '';
}

/** `allPerpMetas`: the listings of all dexes. Other dexes' entries are one reject each. */
export const decodeAllMetas: DexDecoder = (payload, context, dex) => {
  const out = emptyDecoded();
  const metas = wireArray(open(payload, out));
  if (metas === undefined && out.rejects.length === 0) rejectShape(out, 'no metas');
  metas?.forEach((meta, i) => {
    if (isWire(meta) && wireArray(meta.universe)?.length === 0) return;
    const owner = dexOf(meta);
    if (!isWire(meta) || owner === undefined)
      out.rejects.push({ symbol: null, reason: 'malformed', detail: `[${i}].universe` });
    else if (owner === dex) readUniverse(meta, context, dex, out);
    else out.rejects.push({ symbol: null, reason: 'not_listed', detail: `dex ${owner || '(main)'}` });
  });
  return out;
};

/** Names of the builder-deployed dexes of an `allPerpMetas` payload that have a live asset, each once. */
export function liveDexes(payload: unknown): DexName[] {
  const live = new Set<DexName>();
  for (const meta of wireArray(payload) ?? []) {
    const dex = dexOf(meta);
    if (!isWire(meta) || dex === undefined || dex === '') continue;
    const out = emptyDecoded();
    readUniverse(meta, { instruments: new Map() }, dex, out);
    if (out.instruments.length > 0) live.add(dex);
  }
  return [...live];
}

/** Metrics of one asset; the rate is the running estimate for the coming hour. */
const takeContext = quotes({
  fundingRate: required(rate('funding')),
  fundingIntervalHours: derived(() => HOURLY),
  nextFundingTime: derived(({ context }) => nextHour(context.receivedAt)),
  markPrice: required(price('markPx')),
  indexPrice: required(price('oraclePx')),
  openInterest: required(amount(PUBLISHED.openInterest, { base: 'openInterest' })),
  // The base volume is absent in older replies.
  volume24h: required(amount(PUBLISHED.volume, { quote: 'dayNtlVlm', base: 'dayBaseVlm' })),
});

/**
 * `metaAndAssetCtxs`: `[meta, contexts]`, joined by position. Where the two lists differ in length, no row
 * can be trusted and all of them are left out as `position_mismatch`.
 */
export const decodeMetaAndContexts: DexDecoder = (payload, context, dex) => {
  const out = emptyDecoded();
  const answer = open(payload, out);
  if (out.rejects.length > 0) return out;
  const [meta, rows] = wireArray(answer) ?? [];
  const listed = isWire(meta) ? readUniverse(meta, context, dex, out) : undefined;
  const contexts = wireArray(rows);
  if (listed === undefined || contexts === undefined) rejectShape(out, '[meta, contexts]');
  else if (listed.length !== contexts.length) {
    const detail = `${listed.length} assets, ${contexts.length} contexts`;
    out.rejects.push({ symbol: null, reason: 'position_mismatch', detail });
  } else {
    const { unitsOf } = symbolsOf(dex);
    listed.forEach((instrument, at) => {
      if (instrument !== undefined)
        takeOf(instrument.symbol, [contexts[at]], unitsOf, context, out, takeContext);
    });
  }
  return out;
};

/** `activeAssetCtx`: one coin's metrics, the only context payload that names its coin. */
export const decodeActiveContext: DexDecoder = (payload, context, dex) => {
  const out = emptyDecoded();
  const data: Wire = isWire(payload) ? payload : {};
  const row = isWire(data.ctx) ? { ...data.ctx, coin: data.coin } : data.ctx;
  takeEach([row], 'coin', symbolsOf(dex).unitsOf, context, out, takeContext);
  return out;
};

/** `allDexsAssetCtxs`: `[dex, contexts]` of all dexes, without names. */
export const decodeAllContexts: DexDecoder = (data, context, dex) => {
  const out = emptyDecoded();
  const blocks = isWire(data) ? wireArray(data.ctxs) : undefined;
  if (blocks === undefined) rejectShape(out, 'ctxs');
  for (const block of blocks ?? []) {
    const [name, rows] = wireArray(block) ?? [];
    const contexts = wireArray(rows);
    if (typeof name !== 'string' || contexts === undefined)
      out.rejects.push({ symbol: null, reason: 'malformed', detail: 'ctxs[].dex' });
    else if (name === dex) joinByPosition(contexts, context, dex, out);
    else {
      const detail = `dex ${name === '' ? '(main)' : name.slice(0, 32)}: ${contexts.length} rows`;
      out.rejects.push({ symbol: null, reason: 'not_listed', detail });
    }
  }
  return out;
};

function joinByPosition(rows: readonly unknown[], context: DecodeContext, dex: DexName, out: Decoded): void {
  const listed = new Map(
    [...context.instruments.values()].map((instrument) => [Number(instrument.altId), instrument]),
  );
  const mismatch = positionFault(rows, listed);
  if (mismatch !== undefined) {
    const details = rows.map((_, position) => `${dex || 'main'}[${position}]: ${mismatch}`);
    for (const detail of details.length > 0 ? details : [mismatch])
      out.rejects.push({ symbol: null, reason: 'position_mismatch', detail });
    return;
  }
  rows.forEach((row, position) => {
    const one = listed.get(position);
    if (one !== undefined) takeOf(one.symbol, [row], symbolsOf(dex).unitsOf, context, out, takeContext);
    else out.rejects.push({ symbol: null, reason: 'delisted', detail: `position ${position}` });
  });
}

/**
 * The reason for which rows without names cannot be joined to these positions; undefined when they can. A
 * delisted asset keeps its place with frozen prices, no mid, no volume and no open interest; so a live
 * contract whose row looks like that, or an unlisted position that trades, shows that the universe has
 * changed since it was read.
 */
function positionFault(
  rows: readonly unknown[],
  listed: ReadonlyMap<number, Instrument>,
): string | undefined {
  if (listed.size === 0) return rows.length === 0 ? undefined : 'universe unknown';
  for (const [position, { symbol }] of listed) {
    if (position >= rows.length) return `${symbol} is at ${position} of ${rows.length} rows`;
    if (looksDead(rows[position])) return `${symbol} looks delisted`;
  }
  const unlisted = rows.findIndex((row, position) => !listed.has(position) && !looksDead(row));
  return unlisted === -1 ? undefined : `unknown contract at ${unlisted}`;
}

function looksDead(row: unknown): boolean {
  const idle = (x: unknown): boolean => readNumber(x) === 0;
  return isWire(row) && (row.midPx ?? null) === null && idle(row.openInterest) && idle(row.dayNtlVlm);
}
