import { keyOf, uniform } from '@perpmeter/sim/noise';
import { FIXTURE_NOW } from '../../src/market/row-fixture.ts';
import type { AskedCondition } from '../../src/modules/watch-conditions/condition.ts';
import { SECOND_MS } from '../../src/runtime/duration.ts';

/** The rates of the soak are other ones at most this often; between two ticks each process has looked some times. */
const TICK_MS = 8 * SECOND_MS;
/** Times of a tick at which the engine has a turn, after its beginning. All are earlier than a lease ends that was kept in the tick before. */
const TURNS_MS = [2, 4, 6].map((seconds) => seconds * SECOND_MS);

export const VENUES = ['binance', 'okx'] as const;
export const ASSETS = ['BTC', 'ETH', 'SOL', 'XRP'] as const;

export const startOf = (tick: number): number => FIXTURE_NOW + tick * TICK_MS;
export const turnsOf = (tick: number): readonly number[] => TURNS_MS.map((ms) => startOf(tick) + ms);
export const tickAt = (at: number): number => Math.floor((at - FIXTURE_NOW - 1) / TICK_MS);

/** The true rate of a contract during a tick, a fraction per eight hours: the same for one to five ticks. */
export function rateAt(seed: number, venue: string, asset: string, tick: number): number {
  const key = keyOf(seed, `${venue} ${asset}`);
  const length = 1 + Math.floor(uniform(key, -1) * 5);
  return Math.round((uniform(key, Math.floor(tick / length)) - 0.5) * 200) / 100_000;
}

/** A watch of the soak: it is sold in a tick, by whichever process is asked. */
export interface SoakedWatch {
  readonly asked: AskedCondition;
  readonly soldIn: number;
  /** Its length, ms. */
  readonly forMs: number;
}

const LEVELS: readonly Partial<AskedCondition>[] = [
  { kind: 'funding', above: 0.000305, reset: 0.000105 },
  { kind: 'funding', below: -0.000205 },
  { kind: 'funding', above: 0.000105, for_minutes: 1 },
  { kind: 'flip' },
];

/** Watches of several kinds over all contracts: half are sold in the beginning, each tenth ends early. */
export function soakedWatches(ticks: number): readonly SoakedWatch[] {
  const conditions = ASSETS.flatMap((ticker): Partial<AskedCondition>[] => [
    ...VENUES.flatMap((venue) => LEVELS.map((level) => ({ ...level, ticker, venue }))),
    { kind: 'spread', ticker, venue: VENUES.join(), above: 9.05, reset: 5.05 },
  ]);
  return conditions.map((asked, at) => ({
    asked: { for_minutes: 0, firings: 1000, ...asked } as AskedCondition,
    soldIn: at % 2 === 0 ? 1 : 1 + Math.floor((at / conditions.length) * ticks * 0.8),
    forMs: (at % 10 === 9 ? Math.floor(ticks / 10) : 10 * ticks) * TICK_MS,
  }));
}
