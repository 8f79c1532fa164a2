import type { Port } from '../../runtime/port.ts';
import type { TablesPlace } from './tables.ts';

/** Absent where a host keeps its own. */
export const TABLES_PLACE: Port<TablesPlace | undefined> = {
  name: 'tables of several hosts',
  absent: undefined,
};
