import example from './examples/stream-minute.json' with { type: 'json' };
import { minutesOf } from './stream-purchase.ts';

export const streamMinute = minutesOf('minute', 1, 'a minute', example);
