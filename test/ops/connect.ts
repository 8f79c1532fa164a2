/**
 * Connects to a server as the service does, in a process of its own, since trusted authorities are set at its
 * start. Prints `connected`, or why not.
 */
import { silentLogger } from '../../src/collect/logger.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { createDatabase } from '../../src/history/server.ts';
import { openNatsFeed } from '../../src/modules/cluster/nats/nats-feed.ts';
import { ledgerOn } from '../../src/modules/shared-ledger/places.ts';
import { openLedgerStore } from '../../src/pay/open-ledger.ts';
import { reasonOf } from '../../src/runtime/reason-of.ts';

const KINDS: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  feed: (url) => openNatsFeed({ url, clock: systemClock, logger: silentLogger }),
  ledger: (url) => openLedgerStore({ ledgerPath: '', place: ledgerOn(url) }),
  history: (url) => createDatabase(url, 'perpmeter'),
};

const [kind = '', url = ''] = process.argv.slice(2);
const said = await (KINDS[kind]?.(url) ?? Promise.reject(new Error(`no kind ${kind}`))).then(
  () => 'connected',
  reasonOf,
);
process.stdout.write(said, () => process.exit(0));
