import type { Decoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';

const ENDINGS = ['-USDT-SWAP', '-USDC-SWAP'];
const EXPIRY = /-\d{6}$/;
const STRIKE = /-[CP]$/;
const PAIR = /^[^-]+-[^-]+$/;

/** Base of a linear swap's id: `BTC` of `BTC-USDT-SWAP`; undefined for all other ids. */
export function baseOfSymbol(instId: string): string | undefined {
  const ending = ENDINGS.find((text) => instId.endsWith(text));
  return ending === undefined || instId.length === ending.length
    ? undefined
    : instId.slice(0, -ending.length);
}

/** Why an id is no linear swap: `BTC-USD-SWAP`, `BTC-USDT-220624`, `BTC-USD-220624-30000-C`, `BTC-USDT`. */
function outOfScopeSymbol(instId: string): OutOfScopeReason {
  if (instId.endsWith('-USD-SWAP')) return 'inverse';
  if (instId.endsWith('-SWAP')) return 'foreign_quote';
  if (STRIKE.test(instId)) return 'option';
  if (EXPIRY.test(instId)) return 'dated';
  return PAIR.test(instId) ? 'spot' : 'not_listed';
}

/**
 * Ticker units in one coin of a contract (1 but for multiplier names), or why the row is left out. With a list
 * of contracts only those on it count; without one the id itself must show a linear swap.
 */
export function multiplierOf(
  instId: string,
  instruments: ReadonlyMap<string, Instrument>,
): number | OutOfScopeReason {
  const listed = instruments.get(instId);
  if (listed !== undefined) return listed.multiplier;
  const base = baseOfSymbol(instId);
  if (base === undefined) return outOfScopeSymbol(instId);
  return instruments.size > 0 ? 'not_listed' : baseName(base).multiplier;
}

/** Ticker units in one contract; undefined while the contract's size is not known. */
export function contractUnits(
  instId: string,
  instruments: ReadonlyMap<string, Instrument>,
): number | undefined {
  const listed = instruments.get(instId);
  return listed === undefined ? undefined : listed.contractSize * listed.multiplier;
}

/** Hands every row of a live linear swap to `take`; all others become rejects. */
export function eachContract(
  rows: readonly unknown[],
  instruments: ReadonlyMap<string, Instrument>,
  out: Decoded,
  take: (row: Wire, instId: string, multiplier: number) => void,
): void {
  for (const row of rows) {
    if (!isWire(row)) {
      out.rejects.push({ symbol: null, reason: 'malformed', detail: 'row' });
      continue;
    }
    const instId = readText(row.instId);
    if (instId === undefined) {
      out.rejects.push({ symbol: null, reason: 'missing_field', detail: 'instId' });
      continue;
    }
    const multiplier = multiplierOf(instId, instruments);
    if (typeof multiplier === 'number') take(row, instId, multiplier);
    else out.rejects.push({ symbol: instId, reason: multiplier });
  }
}
