import type { HealthBoard } from '../collect/ports.ts';
import type { OpenModules } from './open-modules.ts';

/** Venues that must be live before the service calls itself ready. */
const READY_VENUES = 1;

/** The parts that must be ready. */
interface Parts {
  readonly isStopping: () => boolean;
  readonly health: Pick<HealthBoard, 'all'>;
  readonly modules: Pick<OpenModules, 'unready'>;
}

/** The reason for which a service is not ready to be asked; undefined where it is. */
export function unreadyOf({ isStopping, health, modules }: Parts): string | undefined {
  if (isStopping()) return 'the service is about to end';
  const live = health.all().filter(({ status }) => status === 'live').length;
  return live < READY_VENUES ? 'no venue is live yet' : modules.unready();
}
