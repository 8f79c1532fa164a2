import type { JSX } from 'preact';
import { bps, percent } from '../text/number.ts';

/** The class of a number's sign. */
export const sideOf = (value: number | null | undefined): string =>
  value === null || value === undefined
    ? 'unknown'
    : value > 0
      ? 'positive'
      : value < 0
        ? 'negative'
        : 'zero';

/** A rate in percent, in the colour of its sign: positive, longs pay shorts. */
export function Rate({ value }: { value: number | null | undefined }): JSX.Element {
  return <span class={sideOf(value)}>{percent(value)}</span>;
}

export function Bps({ value }: { value: number | null | undefined }): JSX.Element {
  return <span class={sideOf(value)}>{bps(value)}</span>;
}
