import type { Wire } from '../../src/domain/read.ts';

/** A call that a prompt tells its reader to make. */
export interface PlannedCall {
  readonly name: string;
  readonly arguments: Wire;
}

/** `1. spread_and_carry, product perp-funding-spread, ticker BTC: …` */
const STEP = /^\d+\. (\w+), (.+?): /;

/** The calls in the steps of a prompt's text, read as they stand there and not as they were meant. */
export function planOf(text: string): readonly PlannedCall[] {
  return text.split('\n').flatMap((line) => {
    const [, name, words] = STEP.exec(line) ?? [];
    if (name === undefined || words === undefined) return [];
    const pairs = words.split(', ').map((pair) => pair.split(' '));
    return [{ name, arguments: Object.fromEntries(pairs.map(([key, value]) => [key, value])) }];
  });
}
