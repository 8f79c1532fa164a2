import Type from 'typebox';
import { iso } from '../../domain/clock.ts';
import type { MarketRow } from '../../market/view.ts';
import { timestamp } from '../answer/schema.ts';

/** Hours of a market; on rows of venues that state them. */
export const marketHoursFields = {
  market_open: Type.Optional(
    Type.Boolean({
      description:
        'True while orders trade, false in closed hours; only where the venue states it. A closed market has no touch and no book',
    }),
  ),
  opens_at: Type.Optional(timestamp('When a closed market opens again; only where the venue states it')),
};

export const marketHours = ({ marketOpen, opensAt }: MarketRow) => ({
  ...(marketOpen !== undefined && { market_open: marketOpen }),
  ...(opensAt !== undefined && { opens_at: iso(opensAt) }),
});
