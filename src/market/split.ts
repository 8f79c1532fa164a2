import type { UnixMs } from '../domain/units.ts';
import { DAY_MS } from '../runtime/duration.ts';
import { isPowerOfTenApart, UNRELATED_RATIO } from './comparable.ts';

/** A row of an asset whose venues may list two. */
export interface SplitMember {
  readonly mark: number | undefined;
  readonly volumeUsd: number | undefined;
  /** Since when its identity has been uncertain; 0 = it is not. */
  readonly uncertainSince: number;
  /** True if the registry identifies it as the asset. */
  readonly isOfRegistry: boolean;
}

/** Two price levels stand side by side for this long before they are taken for two assets. */
const SPLIT_AFTER_MS = DAY_MS;
/** A multiplier fault drifts with the market, so the ratio is read generously: better no split than a false one. */
const MULTIPLIER_TOLERANCE = 0.1;

/**
 * Members that are another asset: at an unrelated price level for 24 h while both levels trade, and not a power of
 * ten away. The level of what the registry knows keeps the identity, of several or none the one with the most
 * volume. Members come back as indices; none = no split.
 */
export function proposeSplit(members: readonly SplitMember[], now: UnixMs): readonly number[] {
  const levels = priceLevels(members);
  const [keeper, ...others] = levels.sort(
    (a, b) => Number(b.isOfRegistry) - Number(a.isOfRegistry) || b.volume - a.volume,
  );
  if (keeper === undefined || keeper.volume <= 0) return [];
  const ripe = others.find(
    (level) =>
      level.volume > 0 &&
      level.members.every((i) => uncertainLongEnough(members[i], now)) &&
      !isPowerOfTenApart(level.mark, keeper.mark, MULTIPLIER_TOLERANCE),
  );
  return ripe?.members ?? [];
}

interface Level {
  mark: number;
  volume: number;
  isOfRegistry: boolean;
  members: number[];
}

/** Groups the marks: a gap of more than the unrelated ratio begins a new level. */
function priceLevels(members: readonly SplitMember[]): Level[] {
  const priced = members
    .flatMap((member, index) => (member.mark === undefined ? [] : [{ index, mark: member.mark, member }]))
    .sort((a, b) => a.mark - b.mark);
  const levels: Level[] = [];
  let last = 0;
  for (const { index, mark, member } of priced) {
    const level = levels.at(-1);
    const volume = member.volumeUsd ?? 0;
    const { isOfRegistry } = member;
    if (level === undefined || mark / last > UNRELATED_RATIO)
      levels.push({ mark, volume, isOfRegistry, members: [index] });
    else {
      level.members.push(index);
      level.isOfRegistry ||= isOfRegistry;
      level.volume += volume;
    }
    last = mark;
  }
  return levels;
}

function uncertainLongEnough(member: SplitMember | undefined, now: UnixMs): boolean {
  const since = member?.uncertainSince ?? 0;
  return since > 0 && now - since >= SPLIT_AFTER_MS;
}

/** First free id of the form `<id>~2`. */
export function splitId(canonicalId: string, taken: (id: string) => boolean): string {
  const stem = canonicalId.replace(/~\d+$/, '');
  let n = 2;
  while (taken(`${stem}~${n}`)) n += 1;
  return `${stem}~${n}`;
}
