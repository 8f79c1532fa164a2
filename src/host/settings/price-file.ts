import { readFileSync } from 'node:fs';
import { type PriceChangeEntry, readPriceChanges } from '../../pay/price-list.ts';
import { loadPriceSchedule } from '../../pay/prices.ts';
import { reasonOf } from '../../runtime/reason-of.ts';

/**
 * Reads the operator's own prices (`PRICES_FILE`) and holds them against the shipped ones.
 *
 * @param priceLists shipped prices of modules that are on
 * @param errors takes all that is wrong with them
 */
export function readPriceFile(
  path: string | undefined,
  priceLists: readonly unknown[],
  errors: string[],
): readonly PriceChangeEntry[] {
  if (path === undefined) return [];
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    errors.push(`PRICES_FILE: ${path} cannot be read as JSON: ${reasonOf(cause)}`);
    return [];
  }
  const changes = readPriceChanges(json);
  const schedule = changes.ok ? loadPriceSchedule(changes.value, priceLists) : changes;
  if (!schedule.ok) errors.push(...schedule.errors.map((error) => `PRICES_FILE: ${error}`));
  return changes.ok ? changes.value : [];
}
