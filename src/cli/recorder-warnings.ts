import type { Role } from '../feed/ports.ts';
import type { Settings } from '../host/settings/settings.ts';

type Shared = Pick<Settings, 'history' | 'natsUrl' | 'clickhouseUrl' | 'ledgerUrl'>;

/** Warnings about a history that another process may take over; a single recorder may ignore them. */
export function recorderWarnings(settings: Shared, roles: ReadonlySet<Role>): readonly string[] {
  const { history, natsUrl, clickhouseUrl = [], ledgerUrl } = settings;
  const mayTakeOver =
    history === 'on' && roles.has('record') && natsUrl !== undefined && clickhouseUrl.length > 0;
  if (!mayTakeOver || ledgerUrl !== undefined) return [];
  return [
    'without LEDGER_URL this process has identities of its own: where several record (NATS_URL and CLICKHOUSE_URL), contracts begin their history again whenever another takes over; give all of them one LEDGER_URL',
  ];
}
