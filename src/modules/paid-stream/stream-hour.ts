import example from './examples/stream-hour.json' with { type: 'json' };
import { minutesOf } from './stream-purchase.ts';

export const streamHour = minutesOf('hour', 60, 'an hour', example);
