import example from './examples/watch-month.json' with { type: 'json' };
import { watchFor } from './watch-purchase.ts';

export const watchMonth = watchFor('month', 30, 'thirty days', example);
