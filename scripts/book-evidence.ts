/**
 * What recordings prove of the rule that keeps a venue's streamed books right; the venue's page names them. `session`:
 * a run of messages keeps it. `older session`: a run of a form that the venue has left or of other contracts does.
 * `pair`: one message follows another. `frames`: the form of single messages, not the rule. `none`: nothing.
 */
export const BOOK_EVIDENCE: Readonly<
  Record<string, 'session' | 'older session' | 'pair' | 'frames' | 'none'>
> = {
  apex: 'pair',
  aster: 'frames',
  backpack: 'frames',
  binance: 'session',
  bingx: 'pair',
  bitget: 'older session',
  bybit: 'pair',
  cryptocom: 'frames',
  deribit: 'older session',
  derive: 'frames',
  dydx: 'frames',
  edgex: 'frames',
  extended: 'pair',
  gate: 'older session',
  grvt: 'frames',
  hibachi: 'none',
  htx: 'pair',
  hyperliquid: 'frames',
  kraken: 'older session',
  kucoin: 'frames',
  lighter: 'pair',
  mexc: 'frames',
  nado: 'frames',
  okx: 'older session',
  orderly: 'frames',
  pacifica: 'none',
  paradex: 'frames',
  phemex: 'older session',
  whitebit: 'pair',
};
