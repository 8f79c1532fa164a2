import { lowerAscii } from '../../domain/ascii-case.ts';
import { distance, nearestWords } from '../../domain/nearest.ts';

/** Words that mean the same to a buyer: endpoints differ in which of them they take. */
const SAME_MEANING: readonly ReadonlySet<string>[] = [
  new Set(['ticker', 'symbol', 'asset', 'coin', 'base']),
  new Set(['venue', 'exchange']),
  new Set(['aggr', 'granularity', 'interval', 'resolution']),
  new Set(['from', 'start', 'since']),
  new Set(['to', 'end', 'until']),
  new Set(['size_usd', 'notional', 'amount']),
];

/**
 * The known word that means what was typed, else the one closest to it in letters, or undefined where there is none.
 * Case does not count.
 */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const meaning = SAME_MEANING.find((words) => words.has(lowerAscii(typed)));
  return known.find((candidate) => meaning?.has(candidate)) ?? nearestWords(typed, known, 1)[0];
}

/** `market/tickers`, `tickers` of `/market/tickers`, without what a name says in brackets. */
function endings(path: string): readonly string[] {
  const segments = path
    .slice(0, 120)
    .toLowerCase()
    .replace(/\?.*| \(.*/, '')
    .split('/')
    .filter(Boolean);
  return segments.map((_, i) => segments.slice(i).join('/'));
}

/** Share of its letters that a name may differ in. */
const ALIKE = 0.5;

/**
 * The known names whose ending, from any segment on, is spelled most like an ending of the path that was typed: the
 * closest first and no more than three, none that differs in more than half of its letters.
 */
export function nearestPaths(typed: string, known: readonly string[]): readonly string[] {
  const ranked = known.map((name) => {
    const pairs = endings(typed).flatMap((a) => endings(name).map((b) => [a, b] as const));
    const shares = pairs.map(([a, b]) => distance(a, b) / Math.max(a.length, b.length));
    return { name, share: Math.min(...shares) };
  });
  const alike = ranked.filter(({ share }) => share <= ALIKE).sort((a, b) => a.share - b.share);
  return alike.slice(0, 3).map(({ name }) => name);
}
