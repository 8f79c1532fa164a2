import { createRequire } from 'node:module';
import { isWire } from '../../domain/read.ts';

/** ccxt's exchange classes by id, of those it lists. */
export type CcxtClasses = ReadonlyMap<string, new () => unknown>;

export type CcxtModule =
  | { readonly ok: true; readonly classes: CcxtClasses }
  | { readonly ok: false; readonly error: string };

/** The library is loaded here and nowhere else, and only when this is called. */
const importCcxt = (): Promise<unknown> => import('ccxt');

/** True if ccxt is installed. */
export function isCcxtInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve('ccxt');
    return true;
  } catch {
    return false;
  }
}

/** Loads ccxt, an optional dependency, and lists its exchanges. */
export async function loadCcxt(importModule: () => Promise<unknown> = importCcxt): Promise<CcxtModule> {
  let loaded: unknown;
  try {
    loaded = await importModule();
  } catch (error) {
    const code = isWire(error) ? error.code : undefined;
    if (code === 'ERR_MODULE_NOT_FOUND') {
      return { ok: false, error: 'ccxt is not installed; npm install ccxt brings it' };
    }
    return {
      ok: false,
      error: `ccxt cannot be loaded: ${error instanceof Error ? error.message : 'unknown error'}`,
    };
  }
  const ccxt = isWire(loaded) && isWire(loaded.default) ? loaded.default : {};
  const ids = Array.isArray(ccxt.exchanges) ? ccxt.exchanges : [];
  const classes = new Map<string, new () => unknown>();
  for (const id of ids) {
    const made = ccxt[String(id)];
    if (typeof made === 'function') classes.set(String(id), made as new () => unknown);
  }
  if (classes.size === 0)
    return { ok: false, error: 'ccxt lists no exchanges; this version is not understood' };
  return { ok: true, classes };
}
