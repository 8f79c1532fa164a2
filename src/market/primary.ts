import type { Standing } from './decide-identity.ts';

/** A contract that may stand for an asset on its venue. */
export interface Contender {
  readonly symbol: string;
  readonly quote: string;
  /** Rolling 24 h volume, USD; undefined = unknown. */
  readonly volumeUsd: number | undefined;
  /** The grounds on which it is the asset, where they are less than the registry. */
  readonly standing: Standing | undefined;
  /** Has a mark that is young enough for a row. */
  readonly priced: boolean;
}

/** The factor by which a contender must trade more than the shown contract before it takes over. */
export const TAKEOVER_RATIO = 1.2;

/** The registry's word before that of a rule, and a name alone last. */
const STANDINGS: readonly (Standing | undefined)[] = [undefined, 'rule', 'name'];

/** Before volumes are known: the quote that most volume is in. */
const QUOTES = ['USDT', 'USDC', 'USD'];

/**
 * The contract that is shown: of those with the best standing, whatever they trade, the most traded one: what has
 * the name of an asset alone can state any volume. The one shown now stays until another trades more by
 * `TAKEOVER_RATIO`, so that two contracts of like volume do not alternate; it steps back at once when it has no
 * mark or no known volume and the other has. Ties fall to the quote, then to the symbol.
 *
 * @returns index into `contenders`, 0 when there is one only
 */
export function choosePrimary(contenders: readonly Contender[], shown: number | undefined): number {
  let best = 0;
  for (let i = 1; i < contenders.length; i++) {
    if (precedes(contenders[i], contenders[best])) best = i;
  }
  if (shown === undefined || shown === best) return best;
  const incumbent = contenders[shown];
  const challenger = contenders[best];
  if (incumbent === undefined || challenger === undefined) return best;
  if (incumbent.priced !== challenger.priced || incumbent.standing !== challenger.standing) return best;
  if (incumbent.volumeUsd === undefined || challenger.volumeUsd === undefined) {
    return challenger.volumeUsd === undefined ? shown : best;
  }
  return challenger.volumeUsd > incumbent.volumeUsd * TAKEOVER_RATIO ? best : shown;
}

function precedes(a: Contender | undefined, b: Contender | undefined): boolean {
  if (a === undefined || b === undefined) return a !== undefined;
  if (a.priced !== b.priced) return a.priced;
  if (a.standing !== b.standing) return standingRank(a.standing) < standingRank(b.standing);
  const volumes = (a.volumeUsd ?? -1) - (b.volumeUsd ?? -1);
  if (volumes !== 0) return volumes > 0;
  const quotes = quoteRank(a.quote) - quoteRank(b.quote);
  return quotes !== 0 ? quotes < 0 : a.symbol < b.symbol;
}

const standingRank = (standing: Standing | undefined): number => STANDINGS.indexOf(standing);

function quoteRank(quote: string): number {
  const rank = QUOTES.indexOf(quote);
  return rank < 0 ? QUOTES.length : rank;
}
