import type { Clock } from '../../src/domain/clock.ts';
import { parsePaymentConfig } from '../../src/pay/config.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import type { ChainWatch } from '../../src/pay/scheme.ts';
import { openChannels } from '../../src/pay/schemes/batch-settlement/open.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import { paidRoutes } from '../pay/routes.ts';

/** One name for all that claim after each other: a killed one leaves the lease to the next. */
const OWNER = 'claimer';

/** The watch of channels over a ledger of its own opening. */
export async function openChannelWatch(
  environment: Readonly<Record<string, string>>,
  clock: Clock,
): Promise<{ readonly watch: ChainWatch; readonly ledger: Ledger }> {
  const config = parsePaymentConfig({ ...environment }, '127.0.0.1');
  if (!config.ok || config.value.mode === 'off') throw new Error('the settings of the soak are wrong');
  const store = openLmdbStore(config.value.ledgerPath, { formats: FORMATS, clock });
  const ledger = new Ledger({ store, clock, owner: OWNER });
  const { watch } = await openChannels({ config: config.value, routes: paidRoutes(), ledger, clock });
  if (watch === undefined) throw new Error('channels without a watch');
  return { watch, ledger };
}
