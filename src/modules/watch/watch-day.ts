import example from './examples/watch-day.json' with { type: 'json' };
import { watchFor } from './watch-purchase.ts';

export const watchDay = watchFor('day', 1, 'a day', example);
