import { asMs, type UnixMs } from '../../domain/units.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../runtime/duration.ts';

/** A firing's time of retries, from the first failed attempt on: the last attempt is made at its end. */
export const GIVE_UP_MS = HOUR_MS;
const FIRST_WAIT_MS = 5 * SECOND_MS;
const LONGEST_WAIT_MS = 10 * MINUTE_MS;
/** A receiver may ask for more patience, and gets so much. */
const LONGEST_ASKED_MS = 15 * MINUTE_MS;
/** Waits between challenges that fail: a buyer may learn the name of the watch only after the first. */
const CHALLENGE_WAITS_MS = [10 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS];
/** Challenges of a receiver in a day of UTC; its owner can have no more of them. */
export const MOST_CHALLENGES = 24;
/** Given up firings that are kept by number; the count knows all. */
const MOST_KEPT = 50;

/** A firing that was given up. */
export interface GivenUp {
  readonly seq: number;
  readonly at: UnixMs;
  readonly reason: string;
}

/** The proof that a receiver wants what is sent: it has answered a challenge. */
export type Challenge =
  | { readonly state: 'due' }
  /** The operator vouches for the receiver. */
  | { readonly state: 'spared' }
  | { readonly state: 'passed'; readonly at: UnixMs }
  | {
      readonly state: 'failed';
      readonly at: UnixMs;
      readonly reason: string;
      readonly attempts: number;
      /** When it is challenged again; undefined once only its owner can ask for that. */
      readonly nextAt: UnixMs | undefined;
    };

/** The state of one watch's delivery, as it is kept over restarts. */
export interface DeliveryRecord {
  /** Number of the tenure in which it was written; absent = 0. */
  readonly term?: number;
  /** The receiver that was challenged: another one has to answer for itself. */
  readonly url: string;
  readonly challenge: Challenge;
  /** Challenges in a day of UTC, numbered from 1970; absent before the first. */
  readonly challenged?: { readonly day: number; readonly times: number };
  /** Each firing up to this one is delivered or given up. */
  readonly settled: number;
  readonly delivered: number;
  readonly failed: number;
  /** The firing after `settled`, where an attempt has failed. */
  readonly retry?: {
    readonly attempts: number;
    readonly firstFailedAt: UnixMs;
    readonly nextAt: UnixMs;
  };
  readonly lastSuccess?: { readonly seq: number; readonly at: UnixMs };
  readonly lastFailure?: GivenUp;
  /** The latest of those given up. */
  readonly givenUp: readonly GivenUp[];
}

/** A record of a watch of which nothing is delivered yet, or nothing to this receiver. */
export function newRecord(
  url: string,
  isSpared: boolean,
  before: DeliveryRecord | undefined,
): DeliveryRecord {
  return {
    settled: before?.settled ?? 0,
    delivered: before?.delivered ?? 0,
    failed: before?.failed ?? 0,
    givenUp: before?.givenUp ?? [],
    ...(before?.challenged !== undefined && { challenged: before.challenged }),
    url,
    challenge: { state: isSpared ? 'spared' : 'due' },
  };
}

const dayOf = (at: number): number => Math.floor(at / DAY_MS);

/** Challenges of a receiver in the day of a moment. */
export const challengesOn = ({ challenged }: DeliveryRecord, at: number): number =>
  challenged?.day === dayOf(at) ? challenged.times : 0;

/** The record after a challenge; `reason` is undefined where it was answered. */
export function afterChallenge(
  before: DeliveryRecord,
  at: UnixMs,
  reason: string | undefined,
): DeliveryRecord {
  const record = { ...before, challenged: { day: dayOf(at), times: challengesOn(before, at) + 1 } };
  if (reason === undefined) return { ...record, challenge: { state: 'passed', at } };
  const attempts = record.challenge.state === 'failed' ? record.challenge.attempts : 0;
  const wait = CHALLENGE_WAITS_MS[attempts];
  const nextAt = wait === undefined ? undefined : asMs(at + wait);
  return { ...record, challenge: { state: 'failed', at, reason, attempts: attempts + 1, nextAt } };
}

/** When the next attempt of a challenge or a firing may be made, Unix ms; undefined where no more is made by itself. */
export function nextAttemptAt({ challenge, retry }: DeliveryRecord): number | undefined {
  if (challenge.state === 'failed') return challenge.nextAt;
  return challenge.state === 'due' ? 0 : (retry?.nextAt ?? 0);
}

/** True if the receiver has to answer a challenge before anything is delivered. */
export const isUnproven = ({ challenge }: DeliveryRecord): boolean =>
  challenge.state === 'due' || challenge.state === 'failed';

/** The record after the receiver has taken its next firing. */
export function afterSuccess(record: DeliveryRecord, seq: number, at: UnixMs): DeliveryRecord {
  const { retry: _, ...rest } = record;
  return { ...rest, settled: seq, delivered: record.delivered + 1, lastSuccess: { seq, at } };
}

/** An attempt that failed. */
interface Failed extends GivenUp {
  /** The time that the receiver asks to wait, ms. */
  readonly askedMs: number | undefined;
  /** From 0 to below 1. */
  readonly random: number;
}

/**
 * The record after an attempt failed: waits double from 5 s to 10 min, each shortened at random by up to a half, so that
 * receivers that fail together are not asked together. The attempt at the end of the hour is the last one.
 */
export function afterFailure(record: DeliveryRecord, attempt: Failed): DeliveryRecord {
  const { askedMs = 0, random, ...lastFailure } = attempt;
  const { attempts = 0, firstFailedAt = attempt.at } = record.retry ?? {};
  const end = firstFailedAt + GIVE_UP_MS;
  if (attempt.at >= end) return givenUp(record, lastFailure);
  const doubled = Math.min(FIRST_WAIT_MS * 2 ** attempts, LONGEST_WAIT_MS);
  const wait = Math.max(doubled * (1 - random / 2), Math.min(askedMs, LONGEST_ASKED_MS));
  const nextAt = asMs(Math.min(attempt.at + wait, end));
  return { ...record, lastFailure, retry: { attempts: attempts + 1, firstFailedAt, nextAt } };
}

function givenUp(record: DeliveryRecord, lastFailure: GivenUp): DeliveryRecord {
  const { retry: _, ...rest } = record;
  return {
    ...rest,
    settled: lastFailure.seq,
    failed: record.failed + 1,
    lastFailure,
    givenUp: [...record.givenUp, lastFailure].slice(-MOST_KEPT),
  };
}
