import type { Clock } from '../domain/clock.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import { type ChargingConfig, everyNetwork } from './config.ts';
import type { Ledger } from './ledger.ts';
import type { NodeWatch } from './node-watch.ts';
import { type LedgerPlace, openLedgerAt } from './open-ledger.ts';
import type { OpenSale, SaleContext, SaleOpener } from './sale.ts';
import type { Scheme } from './scheme.ts';
import type { OpenSchemeOptions } from './schemes/entry.ts';
import { SCHEMES } from './schemes/list.ts';

/** All schemes that are offered, each on every network in their order; a text where one cannot be opened, and then none stays open. */
export async function openSchemes(
  options: OpenSchemeOptions,
  nodes: readonly NodeWatch[],
): Promise<readonly Scheme[] | string> {
  const opened: Scheme[] = [];
  try {
    for (const { offer, open } of SCHEMES) {
      for (const config of everyNetwork(options.config)) {
        const node = nodes.find((known) => known.state().network === config.seller.network.id);
        if (offer(config) !== undefined) opened.push(await open({ ...options, config, node }));
      }
    }
    return opened;
  } catch (cause) {
    for (const { settlement } of opened) settlement.stop();
    return reasonOf(cause);
  }
}

export interface OpenParts {
  readonly ledger: Ledger;
  readonly schemes: readonly Scheme[];
  readonly sale?: OpenSale | undefined;
}

/** Ends what was opened for payments; the ledger last, since the others may still write. */
export async function endParts({ ledger, schemes, sale }: OpenParts): Promise<void> {
  for (const { settlement } of schemes) settlement.stop();
  await sale?.stop?.();
  await ledger.close();
}

interface LedgerOptions {
  readonly ledgerPlace?: LedgerPlace | undefined;
  readonly clock?: Clock | undefined;
}

/** Opens the ledger at its place; a text where it cannot be opened. */
export async function openLedgerOf(
  config: ChargingConfig,
  { ledgerPlace: place, clock }: LedgerOptions,
): Promise<Ledger | string> {
  const { ledgerPath } = config;
  try {
    return await openLedgerAt({ ledgerPath, place, mayBeAway: true }, clock);
  } catch (cause) {
    return `${place?.setting ?? 'LEDGER_PATH'}: the ledger cannot be opened: ${reasonOf(cause)}`;
  }
}

/** Opens the signing of sales; undefined where there is none, a text where it cannot be opened. */
export async function saleOf(
  { openSale }: { readonly openSale?: SaleOpener | undefined },
  context: SaleContext,
): Promise<OpenSale | undefined | string> {
  try {
    return await openSale?.(context);
  } catch (cause) {
    return reasonOf(cause);
  }
}
