import { fixed } from '../../format.ts';
import { json, type SpotRest } from '../spot-answer.ts';
import { spotBook } from '../spot-book.ts';
import { borrowRate, spotPairs, spotQuote } from '../spot-pair.ts';

/** Tokens by the ids under which the venue lists them: bridged coins, its own, and one that has taken a name. */
const TOKENS = [
  { name: 'USDC', index: 0, tokenId: '0x6d1e7cde53ba9467b783cb7c530ce054' },
  { name: 'BTC', index: 77, tokenId: '0x00000000000000000000000000000077', ticker: 'DOGE' },
  { name: 'HYPE', index: 150, tokenId: '0x0d01dc56dcaaca66ad901c959b4011ec', ticker: 'HYPE' },
  { name: 'UBTC', index: 197, tokenId: '0x8f254b963e8468305d409b33aa137c67', ticker: 'BTC' },
  { name: 'UETH', index: 221, tokenId: '0xe1edd30daaf5caac3fe63569e24748da', ticker: 'ETH' },
  { name: 'USOL', index: 254, tokenId: '0x49b67c39f5566535de22b29b0e51e685', ticker: 'SOL' },
] as const;

/** The list has every token at the place of its number; most are of no coin. */
const LISTED = Array.from({ length: 1 + Math.max(...TOKENS.map(({ index }) => index)) }, (_, index) => {
  const unknown = { name: `TOK${index}`, tokenId: `0x${String(index).padStart(32, 'f')}` };
  const { name, tokenId } = TOKENS.find((token) => token.index === index) ?? unknown;
  return { name, szDecimals: index === 0 ? 8 : 5, index, tokenId };
});

/** The market of a coin's token, as calls of one market name it; undefined of a coin that has none. */
export function tokenOf(ticker: string): string | undefined {
  const token = TOKENS.find((known) => 'ticker' in known && known.ticker === ticker);
  return token && `@${token.index}`;
}

/** The token that is lent: the others are not. */
const LENT = 197;

export const hyperliquidSpot: SpotRest = ({ path, body, now }, world, venue) => {
  if (path !== '/info') return undefined;
  const pairs = spotPairs(world, venue);
  const pairOf = (ticker: string) => pairs.find(({ asset }) => asset.ticker === ticker);
  if (body.includes('"allBorrowLendReserveStates"')) {
    const bitcoin = pairOf('BTC');
    const rate = bitcoin === undefined ? 0.05 : 8760 * borrowRate(world, bitcoin, now);
    const reserves = [
      [0, { borrowYearlyRate: '0.05', supplyYearlyRate: '0.036', balance: '3000000.5' }],
      [LENT, { borrowYearlyRate: fixed(rate, 8), supplyYearlyRate: '0.01', balance: '120.5' }],
    ];
    return json(reserves, 20);
  }
  if (body.includes('"l2Book"')) {
    const { coin } = JSON.parse(body) as { coin?: string };
    const token = TOKENS.find(({ index }) => `@${index}` === coin);
    const pair = token !== undefined && 'ticker' in token ? pairOf(token.ticker) : undefined;
    if (pair === undefined) return undefined;
    const { bids, asks } = spotBook(world, pair, now, 20);
    const levels = [bids, asks].map((side) => side.map(([px, sz]) => ({ px, sz, n: 1 })));
    return json({ coin, time: now, levels }, 2);
  }
  if (!body.includes('"spotMetaAndAssetCtxs"')) return undefined;
  const traded = TOKENS.flatMap((token) => {
    const pair = 'ticker' in token ? pairOf(token.ticker) : undefined;
    return pair === undefined ? [] : [{ token, quote: spotQuote(world, pair, now) }];
  });
  const universe = traded.map(({ token }) => ({
    name: `@${token.index}`,
    tokens: [token.index, 0],
    index: token.index,
    isCanonical: false,
  }));
  const contexts = traded.map(({ token, quote: { mid, last, volume, turnover } }) => ({
    coin: `@${token.index}`,
    midPx: mid,
    markPx: last,
    dayNtlVlm: turnover,
    dayBaseVlm: volume,
  }));
  return json([{ tokens: LISTED, universe }, contexts], 20);
};
