import { type CcxtVenues, openCcxtVenues } from '../../collect/ccxt/open-venues.ts';
import type { BaseOverrides } from '../../collect/collector.ts';
import { adapterOf } from '../../venues/registry.ts';

const NONE: CcxtVenues = { adapters: [], transports: new Map() };

/** Exchanges of ccxt that trade in the books of a venue which is collected natively: both would count them. */
const SAME_BOOKS: Readonly<Record<string, string>> = {
  binanceusdm: 'binance',
  bybiteu: 'bybit',
  bybitid: 'bybit',
  gateeu: 'gate',
  krakenfutures: 'kraken',
  kucoinfutures: 'kucoin',
  modetrade: 'orderly',
  myokx: 'okx',
  okxus: 'okx',
  woofipro: 'orderly',
};

/** Ids out of `ccxt:bitfinex,ccxt:coinex` or `ccxt:bitfinex,coinex`: a source holds until the next one. */
function readIds(items: readonly string[], errors: string[]): readonly string[] {
  let source: string | undefined;
  return items.flatMap((item) => {
    const colon = item.indexOf(':');
    if (colon >= 0) source = item.slice(0, colon).trim().toLowerCase();
    const id = item
      .slice(colon + 1)
      .trim()
      .toLowerCase();
    if (source !== 'ccxt' || id === '') {
      errors.push(`EXTRA_VENUES: "${item}" must be written ccxt:<exchange>, as in ccxt:bitfinex,coinex`);
      return [];
    }
    if (adapterOf(id) === undefined) return [id];
    errors.push(`EXTRA_VENUES: ${id} is collected natively; name it in VENUES`);
    return [];
  });
}

/**
 * Opens the venues that EXTRA_VENUES names. ccxt is loaded by this, and only where one is named.
 *
 * @param errors takes everything that is wrong with them
 */
export async function openExtraVenues(
  items: readonly string[] | undefined,
  bases: BaseOverrides,
  errors: string[],
): Promise<CcxtVenues> {
  const ids = readIds(items ?? [], errors);
  if (ids.length === 0) return NONE;
  const opened = await openCcxtVenues(ids, { bases });
  if (opened.ok) return opened.value;
  errors.push(...opened.errors.map((error) => `EXTRA_VENUES: ${error}`));
  return NONE;
}

/** Warnings about the extra venues that are collected beside these native ones. */
export function countedTwice({ adapters }: CcxtVenues, native: readonly string[]): readonly string[] {
  return adapters.flatMap(({ id }) => {
    const twin = SAME_BOOKS[id];
    return twin !== undefined && native.includes(twin) ? [`${id} trades in the books of ${twin}`] : [];
  });
}
