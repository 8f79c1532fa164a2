import type { AssetClass } from '../../domain/instrument.ts';
import type { NameForm, VenueName } from './asset.ts';

/** Names that mean a certain asset on one venue, whatever they mean elsewhere. */
export const VENUE_NAMES: readonly VenueName[] = [
  {
    venue: 'hyperliquid-xyz',
    name: 'QNT',
    canonicalId: 'equity:QNT',
    evidence: 'Quantinuum; the main dex lists Quant',
  },
  {
    venue: 'hyperliquid-xyz',
    name: 'BB',
    canonicalId: 'equity:BB',
    evidence: 'BlackBerry on a dex of shares',
  },
  {
    venue: 'hyperliquid-para',
    name: 'STX',
    canonicalId: 'equity:STX',
    evidence: 'Seagate at some 900 USD (2026-09)',
  },
  {
    venue: 'hyperliquid-flx',
    name: 'GAS',
    canonicalId: 'commodity:NATGAS',
    evidence: 'Priced 3.05 when xyz:NATGAS was 3.05 (2026-05)',
  },
  {
    venue: 'hyperliquid-flx',
    name: 'OIL',
    canonicalId: 'commodity:WTI',
    evidence: 'Priced 91.01 when xyz:CL was 91.05 (2026-05)',
  },
  {
    venue: 'hyperliquid-km',
    name: 'OIL',
    canonicalId: 'commodity:WTI',
    evidence: 'Renamed USOIL by its deployer',
  },
  { venue: 'mexc', name: 'FILECOIN', canonicalId: 'crypto:FIL', evidence: 'Own name of the venue for FIL' },
  { venue: 'mexc', name: 'PUMPFUN', canonicalId: 'crypto:PUMP', evidence: 'Own name of the venue for PUMP' },
  {
    venue: 'mexc',
    name: 'TRUMPOFFICIAL',
    canonicalId: 'crypto:TRUMP',
    evidence: 'Own name of the venue for TRUMP',
  },
  {
    venue: 'bingx',
    name: 'KOSPI',
    canonicalId: 'index:KOSPI200',
    evidence: 'Displayed as KR200-USDT (list of contracts, 2026-06)',
  },
  {
    venue: 'bingx',
    name: 'TRUMPSOL',
    canonicalId: 'crypto:TRUMP',
    evidence: 'Displayed as TRUMP-USDT (probe 2026-09)',
  },
  {
    venue: 'bingx',
    name: 'MONAD',
    canonicalId: 'crypto:MON',
    evidence: 'Displayed as MON-USDT (probe 2026-09)',
  },
  {
    venue: 'gate',
    name: 'EDGEX',
    canonicalId: 'crypto:EDGE',
    evidence: 'Its index is made of what Bitget, Bybit and OKX list as EDGE (2026-09)',
  },
  {
    venue: 'gate',
    name: 'EDGE',
    canonicalId: 'crypto:DEFINITIVE',
    evidence: 'Definitive: its index is of Gate alone, edgeX is EDGEX there (2026-09)',
  },
  {
    venue: 'gate',
    name: 'BROCCOLI',
    canonicalId: 'crypto:BROCCOLI714',
    evidence: 'Its index is made of what Binance lists as BROCCOLI714 (2026-09)',
  },
  {
    venue: 'gate',
    name: 'DFDVX',
    canonicalId: 'equity:DFDV',
    evidence: 'Its index is of the share (2026-09)',
  },
  {
    venue: 'gate',
    name: 'FUTUON',
    canonicalId: 'equity:FUTU',
    evidence: 'Its index is of the share (2026-09)',
  },
  { venue: 'gate', name: 'TQQQX', canonicalId: 'etf:TQQQ', evidence: 'Its index is of the fund (2026-09)' },
  {
    venue: 'gate',
    name: 'KR200',
    canonicalId: 'index:KR200USD',
    evidence: 'Points over the rate of KRW: 0.80 when others had some 1,100 (2026-09)',
  },
  {
    venue: 'extended',
    name: 'XIAOMI',
    canonicalId: 'equity:XIAOMIHKD',
    evidence: 'Priced in Hong Kong dollars though settled in USD (2026-09-13)',
  },
];

/** Decorations around a base name. */
export const NAME_FORMS: readonly NameForm[] = [
  {
    venue: 'kraken',
    form: /^([A-Z0-9.]+)x$/,
    assetClass: 'equity',
    evidence: 'Tokenised shares carry a lower-case x: AAPLx',
  },
  {
    venue: 'extended',
    form: /^(.+)_24_5$/,
    assetClass: 'equity',
    evidence: 'Shares traded five days a week: NVDA_24_5',
  },
  {
    venue: 'backpack',
    form: /^(.+)\.US$/,
    assetClass: 'equity',
    evidence: 'Shares carry their market: AAPL.US',
  },
  {
    venue: 'mexc',
    form: /^(.{2,})STOCK$/,
    assetClass: 'equity',
    evidence: 'Shares carry the word: SKHYNIXSTOCK, NVIDIASTOCK',
  },
  {
    venue: 'bitget',
    form: /^(.{2,})STOCK$/,
    assetClass: 'equity',
    evidence: 'Shares whose ticker a coin has carry the word: QNTSTOCK, STXSTOCK, NOKSTOCK (2026-09)',
  },
  {
    venue: 'cryptocom',
    form: /^(.{2,})IPO$/,
    assetClass: 'prelaunch',
    evidence: 'Unlisted companies, product type PRE_IPO, carry the word: OPENAIIPO, ANTHROPICIPO',
  },
  {
    venue: 'bingx',
    form: /^NCSK(.+?)2USD$/,
    assetClass: 'equity',
    evidence: 'TradFi contracts begin with NC and a class: SK shares',
  },
  {
    venue: 'bingx',
    form: /^NCFX([A-Z]{3})2([A-Z]{3})$/,
    assetClass: 'fx',
    evidence: 'Two currencies around a 2 are a pair: NCFXUSD2JPY is yen per dollar',
  },
  {
    venue: 'bingx',
    form: /^NCFX(.+?)2USD$/,
    assetClass: 'fx',
    evidence: 'TradFi contracts begin with NC and a class: FX currencies',
  },
  {
    venue: 'bingx',
    form: /^NCCO(?:(?:724)?1?(?=\D))?(.+?)2USD$/,
    assetClass: 'commodity',
    evidence:
      'TradFi contracts begin with NC and a class: CO commodities; digits before the name, 724 where it trades all week',
  },
  {
    venue: 'bingx',
    form: /^NCSI(?:(?:724)?1?(?=\D))?(.+?)2USD$/,
    assetClass: 'index',
    evidence:
      'TradFi contracts begin with NC and a class: SI share indices; 724 before the name where it trades all week',
  },
];

/** Class of a contract whose venue says nothing and whose name is not curated. All others: `crypto`. */
export const DEFAULT_CLASSES: readonly (readonly [venue: string, assetClass: AssetClass])[] = [
  ['hyperliquid-hyna', 'crypto'],
  ['hyperliquid-*', 'unknown'],
];
