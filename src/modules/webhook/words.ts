import type { Firing } from './firing.ts';

const SAID = {
  fired: 'holds',
  cleared: 'holds no more',
  unknown: 'cannot be known',
  known: 'can be known again',
  ended: 'is watched no more',
} as const;

/** A condition in a few words: `funding BTC binance above 0.0005`. */
export function conditionWords({ kind, ticker, venue, above, below, unit }: Firing['condition']): string {
  const level = above === undefined ? below : above;
  const side = above === undefined ? 'below' : 'above';
  const parts = [kind, ticker, venue, ...(level === undefined ? [] : [side, level, `(${unit})`])];
  return parts.filter((part) => part !== undefined).join(' ');
}

/** A firing in one line, for people. */
export function firingWords({ condition, kind, reason, values }: Firing): string {
  const shown = Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [`${name} ${value}`],
  );
  const why = reason === undefined ? '' : ` (${reason})`;
  const beside = shown.length === 0 ? '' : `: ${shown.join(', ')}`;
  return `${conditionWords(condition)} ${SAID[kind]}${why}${beside}`;
}
