import { callRef } from '../../../venues/adapter.ts';
import { spotVenueOf } from '../../spot/registry.ts';
import type { SpotDecoded, SpotMarket } from '../../spot/spot-rows.ts';
import type { SpotCall } from '../../spot/spot-venue.ts';
import { requestOf } from './ask-spot.ts';
import type { PlannedCall, SpotPlan } from './spot-plan.ts';

/** True if a path is the one of a call, which may end in any segment. */
function isAt(known: string, path: string): boolean {
  if (!known.endsWith('/*')) return known === path;
  const stem = known.slice(0, -1);
  return path.startsWith(stem) && path.length > stem.length && !path.slice(stem.length).includes('/');
}

/** The call of a venue that reads the answers of a planned one; undefined where none does. */
export function readerOf({ venue }: Pick<SpotPlan, 'venue'>, planned: PlannedCall): SpotCall | undefined {
  const { path, query, body } = callRef(planned.path, undefined, planned.body);
  return spotVenueOf(venue)?.calls.find(
    (call) =>
      [call.path, ...(call.alsoAt ?? [])].some((known) => known !== undefined && isAt(known, path)) &&
      (call.answers?.(query, body ?? planned.body) ?? true),
  );
}

/** Reads an answer. @param markets by symbol, as the venue's last list has them */
export function readAnswer(
  plan: SpotPlan,
  call: PlannedCall,
  payload: unknown,
  markets: ReadonlyMap<string, SpotMarket>,
): SpotDecoded | undefined {
  return readerOf(plan, call)?.decode(payload, { markets, request: requestOf(call, 'rest') });
}
