import { iso } from '../../domain/clock.ts';
import { asMs } from '../../domain/units.ts';
import type { Condition } from '../watch-conditions/condition.ts';
import type { FiringRow } from '../watch-conditions/event-schemas.ts';
import type { Firing } from '../webhook/firing.ts';
import { shownCondition } from '../webhook/shown-address.ts';
import { isoOf } from './state-now.ts';

/** A firing as it is shown to who reads by a token, and so has not the right to post to its receiver. */
export const shownFiring = (firing: Firing): Firing => ({
  ...firing,
  condition: shownCondition(firing.condition),
});

/** A firing as it is shown. */
export const firingRow = (firing: Firing): FiringRow => ({
  watch_id: firing.watchId,
  sequence: firing.seq,
  noted_at: iso(asMs(firing.at)),
  what: firing.kind,
  reason: firing.reason ?? null,
  // A firing states the condition as it was kept, which is as this schema has it.
  condition: firing.condition as unknown as Condition,
  values: firing.values,
  rows_at: isoOf(firing.rowsAt),
  rule_version: firing.ruleVersion,
});
