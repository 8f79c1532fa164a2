import type { FieldReader } from './config-fields.ts';
import { NETWORKS } from './networks.ts';

/** The operator's costs of settlements, for margins. */
export interface CostsConfig {
  /** A facilitator's fee for a transaction, atomic units; undefined where none is declared. */
  readonly facilitatorFee: bigint | undefined;
  /** Prices of coins in which gas is paid, US dollars, by symbol. */
  readonly coinPrices: ReadonlyMap<string, number>;
}

const COINS = [...new Set(Object.values(NETWORKS).map(({ coin }) => coin))];
const COIN_PRICE = /^([A-Z]+)=(\d{1,9}(?:\.\d{1,9})?)$/;

export const readCosts = (fields: FieldReader): CostsConfig => ({
  facilitatorFee: readFee(fields),
  coinPrices: readCoinPrices(fields),
});

/** Zero is a fee as well. */
function readFee(fields: FieldReader): bigint | undefined {
  const fee = fields.text('FACILITATOR_FEE_USD');
  if (fee === undefined) return undefined;
  return /^0(?:\.0*)?$/.test(fee) ? 0n : fields.decimal('FACILITATOR_FEE_USD', '0', 6);
}

/** `ETH=3000,POL=0.4` */
function readCoinPrices(fields: FieldReader): ReadonlyMap<string, number> {
  const prices = new Map<string, number>();
  for (const text of fields.list('COIN_PRICES_USD')) {
    const [, coin = '', usd = ''] = COIN_PRICE.exec(text) ?? [];
    if (COINS.includes(coin) && Number(usd) > 0 && !prices.has(coin)) prices.set(coin, Number(usd));
    else {
      fields.fault(
        `COIN_PRICES_USD must be prices by coin between commas, each coin once, as ETH=3000; coins are ${COINS.join(', ')}`,
      );
      break;
    }
  }
  return prices;
}
