import example from './examples/stream-day.json' with { type: 'json' };
import { minutesOf } from './stream-purchase.ts';

export const streamDay = minutesOf('day', 1440, 'a day', example);
