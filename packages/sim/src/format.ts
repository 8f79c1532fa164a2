import { decimalsOf, onGrid } from './increments.ts';
import type { SimContract } from './world.ts';

/** Decimal text of a number, never with an exponent; zeros at the end are kept. */
export function fixed(x: number, decimals: number): string {
  return x.toFixed(Math.min(20, Math.max(0, decimals)));
}

/** Price in the venue's unit (per one of `base`), on the tick grid. */
export function priceText(contract: SimContract, perTicker: number): string {
  const { tick, multiplier } = contract;
  return fixed(onGrid(perTicker * multiplier, tick), decimalsOf(tick));
}

/** Mark or index in the venue's unit: two decimals finer than the tick, as venues print them. */
export function fineText(contract: SimContract, perTicker: number): string {
  return fixed(perTicker * contract.multiplier, decimalsOf(contract.tick) + 2);
}

/** Ticker units as a number of contracts, on the lot grid. */
export function contractsOf(contract: SimContract, tickerUnits: number): number {
  return onGrid(tickerUnits / (contract.contractSize * contract.multiplier), contract.lot);
}

/** Ticker units as text of a number of contracts. */
export function contractsText(contract: SimContract, tickerUnits: number): string {
  return fixed(contractsOf(contract, tickerUnits), decimalsOf(contract.lot));
}

/** Ticker units in units of `base` as the venue names it (thousands for `1000PEPE`). */
export function baseText(contract: SimContract, tickerUnits: number): string {
  const step = contract.lot * contract.contractSize;
  return fixed(tickerUnits / contract.multiplier, Math.min(12, decimalsOf(step)));
}

/** As `baseText`, counted as a venue does that adds both sides up: an even number of lots. */
export function baseTextTwice(contract: SimContract, tickerUnits: number): string {
  const step = contract.lot * contract.contractSize;
  return fixed(2 * onGrid(tickerUnits / contract.multiplier, step), Math.min(12, decimalsOf(step)));
}

/** A funding rate as a fraction, eight decimals. */
export function rateText(rate: number): string {
  return fixed(rate, 8);
}
