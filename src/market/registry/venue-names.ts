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
];

/** Decorations around a base name. */
export const NAME_FORMS: readonly NameForm[] = [
  { venue: 'kraken', form: /^([A-Z0-9.]+)x$/, evidence: 'Tokenised shares carry a lower-case x: AAPLx' },
  { venue: 'extended', form: /^(.+)_24_5$/, evidence: 'Shares traded five days a week: NVDA_24_5' },
  { venue: 'backpack', form: /^(.+)\.US$/, evidence: 'Shares carry their market: AAPL.US' },
  { venue: 'mexc', form: /^(.+)STOCK$/, evidence: 'Shares carry the word: SKHYNIXSTOCK' },
  {
    venue: 'bingx',
    form: /^NC(?:SK|FX|CO|SI)(.+?)2USD$/,
    evidence: 'TradFi contracts begin with NC and a class',
  },
];

/** Class of a contract whose venue says nothing and whose name is not curated. All others: `crypto`. */
export const DEFAULT_CLASSES: readonly (readonly [venue: string, assetClass: AssetClass])[] = [
  ['hyperliquid-hyna', 'crypto'],
  ['hyperliquid-*', 'unknown'],
];
