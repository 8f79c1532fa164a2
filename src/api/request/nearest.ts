import { lowerAscii } from '../../domain/ascii-case.ts';
import { distance, nearestWords } from '../../domain/nearest.ts';

/** Words that mean the same to a buyer: endpoints differ in which of them they take. */
const SAME_MEANING: readonly ReadonlySet<string>[] = [
  new Set(['ticker', 'symbol', 'asset', 'coin', 'base', 'market', 'pair', 'instrument', 'token']),
  new Set(['canonical_id', 'asset_id', 'id']),
  new Set(['venue', 'exchange', 'platform', 'venues', 'exchanges', 'platforms']),
  new Set(['exclude', 'without', 'except', 'exclude_venues']),
  new Set(['quote', 'quotes', 'quote_currency', 'currency']),
  new Set(['long_venue', 'long', 'buy_venue', 'long_exchange']),
  new Set(['short_venue', 'short', 'sell_venue', 'short_exchange']),
  new Set(['aggr', 'step', 'granularity', 'interval', 'resolution', 'timeframe', 'bucket', 'period']),
  new Set(['hours', 'lookback_hours', 'lookback', 'window_hours']),
  new Set(['from', 'start', 'since', 'start_time', 'starttime', 'begin', 'after']),
  new Set(['to', 'end', 'until', 'end_time', 'endtime', 'before']),
  new Set(['as_of', 'asof', 'at', 'timestamp', 'time']),
  new Set(['size_usd', 'size', 'notional', 'notional_usd', 'amount', 'amount_usd', 'usd']),
  new Set(['side', 'direction']),
  new Set(['limit', 'count', 'top', 'max', 'page_size', 'per_page', 'max_results']),
  new Set(['min_diff', 'min_diff_bps', 'min_spread', 'min_spread_bps', 'threshold']),
  new Set(['format', 'output', 'output_format']),
];

/** Share of its letters that a name may differ in and still be taken for a misspelling. */
const MISSPELLED = 0.5;

/**
 * The known word that means what was typed, else the one closest to it in letters, or undefined where none is like it.
 * Case does not count.
 */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const word = lowerAscii(typed).replace(/\[\d*\]$/, '');
  const meaning = SAME_MEANING.find((words) => words.has(word));
  const meant = known.find((candidate) => meaning?.has(candidate));
  return meant ?? nearestWords(word, known, 1, Math.floor(word.length * MISSPELLED))[0];
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
