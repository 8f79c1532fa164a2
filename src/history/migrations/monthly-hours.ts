import type { TableSpec } from '../table-spec.ts';
import { HOURS } from './initial.ts';

/**
 * The roll-ups by the month and in small granules. A question about one contract costs by the parts that it touches
 * and by the rows of a granule: a month of a contract are 720.
 */
export const MONTHLY_HOURS: TableSpec = {
  ...HOURS,
  partitionBy: 'toYYYYMM(ts)',
  settings: ['index_granularity = 1024', 'min_compress_block_size = 8192'],
};
