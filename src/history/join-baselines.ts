import { median } from '../domain/median.ts';
import type { Baseline, SeriesBucket } from '../domain/series.ts';
import { groupBy } from '../runtime/group-by.ts';
import { sinceListing } from './since-listing.ts';

/**
 * Makes the baselines of the contracts of an asset that was renamed, over the hours under all of its names.
 *
 * @param hours buckets of an hour with `volumeUsd`
 * @returns of contracts whose past goes on under a former name, where there are enough hours
 */
export function joinedBaselines(
  canonicalId: string,
  hours: readonly SeriesBucket[],
  minHours: number,
): readonly Baseline[] {
  const own = hours.filter(({ formerId }) => formerId === undefined);
  return [...groupBy(own, ({ venue, symbol }) => `${venue}\t${symbol}`).values()].flatMap(([first]) => {
    if (first === undefined) return [];
    const { venue, symbol } = first;
    const past = sinceListing(hours, { venue, symbol, listedAt: undefined });
    const last = past.at(-1);
    if (last === undefined || !past.some(({ formerId }) => formerId !== undefined)) return [];
    const volumes = past.flatMap(({ means }) => means.volumeUsd?.mean ?? []);
    if (volumes.length < minHours) return [];
    const middle = median(volumes);
    const mad = median(volumes.map((volume) => Math.abs(volume - middle)));
    const { listedAt } = last;
    return [{ canonicalId, venue, symbol, listedAt, hours: volumes.length, median: middle, mad }];
  });
}
