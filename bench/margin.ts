/**
 * Margin of a route of $0.001 by gas of the local chain: the official client buys by `exact`, and by channels of 10 to 1,000
 * calls with the deposit that the service asks for, which are claimed and settled alone. The seller pays for every transaction, at the floor of
 * Base's price of gas. `npm run bench margin`; exit 1 where the bar is missed.
 */
import { answerHelp } from '../scripts/usage.ts';
import { gasCostUsd } from '../src/pay/gas-cost.ts';
import { type GasOfSales, PRICE_USD, startMeteredSeller } from './margin/gas-of-sales.ts';

answerHelp();

/** The least price of gas on Base, and the price of its coin. */
const WEI_PER_GAS = 5_000_000;
const ETHER_USD = 3_000;
const EXACT_CALLS = 10;
const CHANNELS = [10, 50, 100, 1_000] as const;
const BAR = { calls: 50, margin: 0.9 } as const;

interface Row extends GasOfSales {
  readonly name: string;
}

const costUsd = ({ gas, calls }: GasOfSales): number => gasCostUsd(gas * WEI_PER_GAS, ETHER_USD) / calls;
/** The share of the price that is left after the cost. */
const marginOf = (sales: GasOfSales): number => 1 - costUsd(sales) / PRICE_USD;
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

async function measure(): Promise<readonly Row[]> {
  const seller = await startMeteredSeller();
  try {
    const rows: Row[] = [{ name: 'exact', ...(await seller.exact(EXACT_CALLS)) }];
    for (const calls of CHANNELS) rows.push({ name: `${calls} calls`, ...(await seller.channel(calls)) });
    return rows;
  } finally {
    await seller.stop();
  }
}

const rows = await measure();
console.table(
  rows.map((row) => ({
    'paid by': row.name === 'exact' ? row.name : `channel of ${row.name}`,
    calls: row.calls,
    transactions: row.transactions,
    gas: row.gas,
    'gas a call': Math.round(row.gas / row.calls),
    'USD a call': costUsd(row).toFixed(6),
    margin: percent(marginOf(row)),
  })),
);
const judged = rows.find(({ name }) => name === `${BAR.calls} calls`);
const isMet = judged !== undefined && marginOf(judged) >= BAR.margin;
const figures = rows.map((row) => `${row.name} ${percent(marginOf(row))}`).join(', ');
console.log(
  `bench margin ${isMet ? 'PASS' : 'FAIL'} of $${PRICE_USD}: ${figures} (bar at ${BAR.calls} calls ${percent(BAR.margin)})`,
);
process.exitCode = isMet ? 0 : 1;
