import type { Role } from '../feed/ports.ts';
import type { Seams } from '../host/seams.ts';
import type { Settings } from '../host/settings/settings.ts';

/** Warnings about a history that another process may take over; a single recorder may ignore them. */
export function recorderWarnings(
  { history, clickhouseUrl = [] }: Pick<Settings, 'history' | 'clickhouseUrl'>,
  roles: ReadonlySet<Role>,
  { feed, identities }: Seams,
): readonly string[] {
  const mayTakeOver =
    history === 'on' && roles.has('record') && feed !== undefined && clickhouseUrl.length > 0;
  if (!mayTakeOver || identities !== undefined) return [];
  return [
    'this process has identities of its own: where several record into one history, contracts begin it again whenever another takes over; let all of them share one store of identities',
  ];
}
