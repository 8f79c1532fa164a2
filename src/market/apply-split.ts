import { asMs, type UnixMs } from '../domain/units.ts';
import { fieldValue, volumeUsd } from './contract.ts';
import type { InstrumentIdentities } from './identity.ts';
import { moveContract } from './operator-decisions.ts';
import { proposeSplit, splitId } from './split.ts';
import { type Asset, primaryOf, type Table } from './table-state.ts';

/** Gives the rows of another price level an identity of their own, once `proposeSplit` says so. */
export function splitAsset(table: Table, identity: InstrumentIdentities, asset: Asset, now: UnixMs): void {
  if (!asset.groups.some((group) => group.uncertainSince > 0)) return;
  const members = asset.groups.map((group) => {
    const state = primaryOf(group);
    return {
      mark: state && fieldValue(state, 'markPrice', now),
      volumeUsd: state && volumeUsd(state, now),
      uncertainSince: group.uncertainSince,
      isOfRegistry: state?.assignment !== undefined && state.assignment.standing === undefined,
    };
  });
  const leaving = proposeSplit(members, asMs(now)).flatMap((i) => asset.groups[i] ?? []);
  if (leaving.length === 0) return;
  const given = new Set(identity.latest().flatMap((it) => (it.validTo === undefined ? it.canonicalId : [])));
  const canonicalId = splitId(asset.canonicalId, (id) => table.assets.has(id) || given.has(id));
  for (const group of leaving) {
    const { ticker, assetClass } = group.assignment;
    for (const tracked of [...group.track.contracts.values()]) {
      if (tracked.group !== group) continue;
      const { venue, symbol } = tracked.state.instrument;
      identity.reassign(venue, symbol, { canonicalId, ticker, assetClass, basis: 'split' }, now);
      moveContract(table, identity, { venue, symbol });
    }
  }
  // Hosts that split at once would give one new id to different assets.
  identity.commit(true);
  table.unjudged = true;
}
