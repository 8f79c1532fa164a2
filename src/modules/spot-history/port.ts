import type { Port } from '../../runtime/port.ts';
import type { SpotPastView } from './store/spot-past.ts';

/** Undefined where the process keeps no past of spot. */
export const SPOT_PAST: Port<SpotPastView | undefined> = { name: 'past of spot', absent: undefined };
