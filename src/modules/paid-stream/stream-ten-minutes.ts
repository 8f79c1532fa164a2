import example from './examples/stream-ten-minutes.json' with { type: 'json' };
import { minutesOf } from './stream-purchase.ts';

export const streamTenMinutes = minutesOf('ten-minutes', 10, 'ten minutes', example);
