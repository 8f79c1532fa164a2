import type { Decoded } from '../domain/decoded.ts';
import type { FundingPoint, HistoryPoint } from '../domain/quote.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { ContractAt } from './contract-at.ts';
import type { Contract, Sample, Settlement } from './sample.ts';
import { SAMPLE_STEP_MS } from './sample.ts';

/** Past values as they are stored. */
export interface HistoryRows {
  readonly samples: readonly Sample[];
  readonly settlements: readonly Settlement[];
  /** Points of contracts that nothing is known about. */
  readonly unknown: number;
}

const minuteOf = (at: UnixMs): UnixMs => asMs(Math.floor(at / SAMPLE_STEP_MS) * SAMPLE_STEP_MS);

/**
 * Turns what a venue reports of its past into rows. A payment is stored as a settlement; a rate that was merely in force
 * (`observed`) is a sample, never a payment.
 *
 * @param origin of the payments: recorded as they happened, or back-filled
 */
export function historyRows(
  venue: VenueId,
  decoded: Decoded,
  contractAt: ContractAt,
  origin: Settlement['origin'],
): HistoryRows {
  const samples: Sample[] = [];
  const settlements: Settlement[] = [];
  let unknown = 0;
  for (const point of decoded.funding) {
    const contract = contractAt(venue, point.symbol, point.time);
    if (contract === undefined) unknown += 1;
    else if (point.observed === true) samples.push(observedSample(contract, point));
    else settlements.push(settlementOf(contract, point, origin));
  }
  for (const point of decoded.history) {
    const contract = contractAt(venue, point.symbol, point.time);
    if (contract === undefined) unknown += 1;
    else samples.push(backfilledSample(contract, point));
  }
  return { samples: mergeMinutes(samples), settlements, unknown };
}

function settlementOf(contract: Contract, point: FundingPoint, origin: Settlement['origin']): Settlement {
  const { time, rate, intervalHours, markPrice } = point;
  return { ...contract, at: time, origin, rate, intervalHours, markPrice };
}

function observedSample(contract: Contract, point: FundingPoint): Sample {
  const { time, rate, intervalHours, markPrice } = point;
  return {
    ...contract,
    at: minuteOf(time),
    origin: 'backfilled',
    comparable: true,
    fundingRate: rate,
    fundingIntervalHours: intervalHours,
    markPrice,
  };
}

function backfilledSample(contract: Contract, point: HistoryPoint): Sample {
  const { time, markPrice, indexPrice, openInterestBase, openInterestUsd, volumeUsd } = point;
  return {
    ...contract,
    at: minuteOf(time),
    origin: 'backfilled',
    comparable: true,
    markPrice,
    indexPrice,
    openInterestBase,
    openInterestUsd,
    volume24hUsd: volumeUsd,
  };
}

/** A venue reports mark, index and open interest of one minute in several calls, or points: one sample holds them all. */
function mergeMinutes(samples: readonly Sample[]): readonly Sample[] {
  const merged = new Map<string, Sample>();
  for (const sample of samples) {
    const key = `${sample.venue}\t${sample.symbol}\t${sample.listedAt}\t${sample.at}`;
    const held = merged.get(key);
    merged.set(key, held === undefined ? sample : mergeSample(held, sample));
  }
  return [...merged.values()];
}

function mergeSample(a: Sample, b: Sample): Sample {
  return {
    ...a,
    fundingRate: b.fundingRate ?? a.fundingRate,
    fundingIntervalHours: b.fundingIntervalHours ?? a.fundingIntervalHours,
    markPrice: b.markPrice ?? a.markPrice,
    indexPrice: b.indexPrice ?? a.indexPrice,
    openInterestBase: b.openInterestBase ?? a.openInterestBase,
    openInterestUsd: b.openInterestUsd ?? a.openInterestUsd,
    volume24hUsd: b.volume24hUsd ?? a.volume24hUsd,
  };
}
