import type { UnixMs } from '../domain/units.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import type { Breaches } from './breaches.ts';
import {
  type ContractMemory,
  INTEREST,
  INTEREST_USD,
  MARK,
  RATE,
  VOLUME,
  VOLUME_USD,
} from './contract-memory.ts';
import type { ContractWatch } from './contract-watch.ts';
import { frozenContract, frozenRate } from './laws/frozen.ts';
import { contradictedInterval, passedSettlement } from './laws/settlement-time.ts';
import { LEAST_INTEREST_USD, unusualTurnover, usualTurnover } from './laws/turnover.ts';

/** Interval and settlements come with different calls: they may disagree for a while after a change. */
const CONTRADICTED_MS = 10 * MINUTE_MS;
/** A value that was restated within this is one that the venue goes on to state. */
const RESTATED_MS = 5 * MINUTE_MS;

/** Laws that need time to pass, held against each contract of a venue once a minute. */
export function judgeMinute(watch: ContractWatch, breaches: Breaches, now: UnixMs): void {
  const turnovers: Turnover[] = [];
  const judge = (rule: string, field: string, memory: ContractMemory, evidence: string | undefined): void => {
    if (evidence === undefined && !breaches.any) return;
    const about = { rule, venue: watch.venue, field, contract: memory.symbol };
    if (evidence === undefined) breaches.holds(about, now);
    else breaches.broken({ ...about, evidence }, now, true);
  };
  for (const memory of watch.stated(now)) {
    judge('interval', 'funding_interval_hours', memory, intervalEvidence(memory, now));
    judge('next_passed', 'next_funding_time', memory, passedEvidence(memory, now));
    judge('frozen', '*', memory, frozenEvidence(memory, now));
    judge('frozen_rate', 'funding_rate', memory, frozenRateEvidence(memory, now));
    const log = turnoverOf(memory);
    if (log !== undefined) turnovers.push({ memory, log });
  }
  const usual = usualTurnover(turnovers.map(({ log }) => log));
  if (usual === undefined) return;
  for (const { memory, log } of turnovers) {
    judge('turnover', 'volume_24h', memory, turnoverEvidence(unusualTurnover(log, usual)));
  }
}

interface Turnover {
  readonly memory: ContractMemory;
  readonly log: number;
}

const turnoverEvidence = (factor: number | undefined): string | undefined =>
  factor === undefined
    ? undefined
    : `volume over open interest is x${Number(factor.toPrecision(3))} of the venue's median`;

const isRestated = (memory: ContractMemory, slot: number, now: UnixMs): boolean =>
  now - memory.statedAt(slot) <= RESTATED_MS;

function intervalEvidence(memory: ContractMemory, now: UnixMs): string | undefined {
  const between = contradictedInterval(memory, now);
  if (between === undefined) {
    memory.contradictedSince = 0;
    return undefined;
  }
  if (memory.contradictedSince === 0) memory.contradictedSince = now;
  if (now - memory.contradictedSince < CONTRADICTED_MS) return undefined;
  return `stated ${memory.hours} h, ${Number(between.toPrecision(4))} h between settlements`;
}

function passedEvidence(memory: ContractMemory, now: UnixMs): string | undefined {
  if (now - memory.seenAt > RESTATED_MS) return undefined;
  const minutes = passedSettlement(memory.next, now);
  return minutes === undefined ? undefined : `passed ${Math.round(minutes)} min ago`;
}

function frozenEvidence(memory: ContractMemory, at: UnixMs): string | undefined {
  const volume = isRestated(memory, VOLUME_USD, at) ? VOLUME_USD : VOLUME;
  if (!isRestated(memory, volume, at) || !isRestated(memory, MARK, at)) return undefined;
  const minutes = frozenContract({
    at,
    markChangedAt: memory.changedAt(MARK),
    volumeChangedAt: memory.changedAt(volume),
    volumeUsd: memory.usd(VOLUME, VOLUME_USD),
  });
  return minutes === undefined ? undefined : `mark and volume unchanged for ${Math.round(minutes)} min`;
}

function frozenRateEvidence(memory: ContractMemory, at: UnixMs): string | undefined {
  if (!isRestated(memory, RATE, at) || !isRestated(memory, MARK, at)) return undefined;
  const [rate, mark] = [memory.value(RATE), memory.value(MARK)];
  const rateChangedAt = memory.changedAt(RATE);
  const { hours, markAtRate: markThen } = memory;
  const stood = frozenRate({ at, rate, rateChangedAt, hours, mark, markThen });
  return stood === undefined ? undefined : `${rate} for ${Math.round(stood)} h, mark ${markThen} -> ${mark}`;
}

/** Natural logarithm of volume over open interest; undefined where either is unknown or small. */
function turnoverOf(memory: ContractMemory): number | undefined {
  const interest = memory.usd(INTEREST, INTEREST_USD);
  const volume = memory.usd(VOLUME, VOLUME_USD);
  if (!(Math.max(interest, volume) >= LEAST_INTEREST_USD) || !(interest > 0) || !(volume > 0))
    return undefined;
  return Math.log(volume / interest);
}
