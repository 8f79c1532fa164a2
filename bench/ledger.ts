/**
 * Bytes that a sale takes in a ledger once its answer has arrived, by each way of paying, with receipts and without: in the file
 * of the embedded one, and in the tables of PostgreSQL where that is installed. `npm run bench ledger`; exit 1 where a bar is
 * missed.
 */
import { type Measured, printBars } from '../scripts/bars.ts';
import { answerHelp } from '../scripts/usage.ts';
import { postgresObstacle } from '../test/pay/postgres-server.ts';
import { lmdbBytesOfSale, postgresBytesOfSale, SALE_KINDS, type SaleKind } from '../test/pay/sale-bytes.ts';

answerHelp();

const SALES = 640;
const BAR = 2_200;
const obstacle = postgresObstacle();

async function bytesOf(kind: SaleKind): Promise<Measured> {
  const order = { kind, sales: SALES } as const;
  const signed = await lmdbBytesOfSale({ ...order, hasReceipts: true });
  const plain = await lmdbBytesOfSale({ ...order, hasReceipts: false });
  console.log(`embedded, ${kind}: ${signed.toFixed(0)} B a sale, ${plain.toFixed(0)} B without receipts`);
  if (obstacle === undefined) {
    const shared = await postgresBytesOfSale({ ...order, hasReceipts: true });
    const bare = await postgresBytesOfSale({ ...order, hasReceipts: false });
    console.log(`PostgreSQL, ${kind}: ${shared.toFixed(0)} B a sale, ${bare.toFixed(0)} B without receipts`);
  }
  return { name: `embedded, ${kind}, B a sale`, value: signed, sign: '<=', bar: BAR };
}

if (obstacle !== undefined) console.log(`PostgreSQL: not measured, ${obstacle}`);
const bars: Measured[] = [];
for (const kind of SALE_KINDS) bars.push(await bytesOf(kind));
const missed = printBars(bars);
console.log(`bench ledger ${missed === 0 ? 'PASS' : 'FAIL'}`);
process.exit(missed === 0 ? 0 : 1);
