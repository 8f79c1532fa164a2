import type { Instrument } from '../../domain/instrument.ts';
import { isWire, readHours, readText } from '../../domain/read.ts';
import type { OutOfScopeReason, Reject } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import type { Hours } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { errorText } from '../error-text.ts';

/** One row of `/markets`. */
export interface WireMarket {
  readonly symbol?: unknown;
  readonly base_currency?: unknown;
  readonly quote_currency?: unknown;
  readonly settlement_currency?: unknown;
  /** PERP, PERP_OPTION, OPTION, SPOT or FUTURE. */
  readonly asset_kind?: unknown;
  /** Number or text; missing in rows of 2024. */
  readonly funding_period_hours?: unknown;
}

/** One row of `/markets/summary` or of the `markets_summary` channel. All texts; empty means missing. */
export interface WireSummary {
  readonly symbol?: unknown;
  /** Fraction per funding period of this market. */
  readonly funding_rate?: unknown;
  readonly mark_price?: unknown;
  /** Spot oracle price: the index. `oracle_price` of old replies repeats the mark. */
  readonly underlying_price?: unknown;
  /** Base units as named, long plus short. */
  readonly open_interest?: unknown;
  /** USD. */
  readonly volume_24h?: unknown;
  readonly bid?: unknown;
  readonly ask?: unknown;
  /** When this summary was made, ms. */
  readonly created_at?: unknown;
}

/** One row of `/funding/data` or of the `funding_data` channel: the rate in force, observed every few seconds. */
export interface WireFunding {
  readonly market?: unknown;
  readonly funding_rate?: unknown;
  /** 0 in old rows. */
  readonly funding_period_hours?: unknown;
  readonly created_at?: unknown;
}

/** A funding period; 0 and empty text say that there is none. */
export function readPeriod(x: unknown): Hours | undefined {
  return readHours(x);
}

/** The base of a perpetual's symbol (`kPEPE` of `kPEPE-USD-PERP`); undefined for any other market. */
export function baseOfSymbol(symbol: string): string | undefined {
  return /^([^-]+)-USD-PERP$/.exec(symbol)?.[1];
}

/** Why a symbol that is no listed perpetual is left out, by its spelling. */
function outOfScopeReason(symbol: string): OutOfScopeReason {
  if (symbol.endsWith('-C') || symbol.endsWith('-P')) return 'option';
  if (symbol.endsWith('-PERP')) return 'not_listed';
  return symbol.split('-').length > 2 ? 'dated' : 'spot';
}

/** A market that counts: its multiplier, and its funding period where the list states one. */
export interface Market {
  readonly symbol: string;
  readonly multiplier: number;
  readonly fundingIntervalHours?: Hours;
}

/** The market of a row, or why it is left out. Without a list of contracts the symbol must be a perpetual's. */
export function marketOf(symbol: string, context: DecodeContext): Market | Reject {
  const listed: Instrument | undefined = context.instruments.get(symbol);
  if (listed !== undefined) return listed;
  const base = context.instruments.size > 0 ? undefined : baseOfSymbol(symbol);
  if (base === undefined) return { symbol, reason: outOfScopeReason(symbol) };
  return { symbol, multiplier: baseName(base).multiplier };
}

export const isReject = (x: Market | Reject): x is Reject => 'reason' in x;

/** An error answer: text, null, `{"error": CODE, "message"}` or a JSON-RPC error. */
export function errorBody(payload: unknown): Reject | undefined {
  if (payload === null) return { symbol: null, reason: 'error_body', detail: 'null' };
  if (typeof payload === 'string') {
    return { symbol: null, reason: 'error_body', detail: payload.slice(0, 120) };
  }
  if (!isWire(payload)) return undefined;
  const { error } = payload;
  if (isWire(error))
    return { symbol: null, reason: 'error_body', detail: errorText(error.code, error.message) };
  const code = readText(error);
  if (code === undefined) return undefined;
  return { symbol: null, reason: 'error_body', detail: errorText(code, payload.message) };
}
