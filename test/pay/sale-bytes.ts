import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReceiptIssuer } from '../../src/modules/receipts/sale-receipts.ts';
import { KeyRing } from '../../src/modules/receipts/signing-keys.ts';
import { openPostgresStore } from '../../src/modules/shared-ledger/payments/ledger-postgres.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import type { LedgerStore } from '../../src/pay/ledger-store.ts';
import { paymentKey, resourceHash } from '../../src/pay/payment.ts';
import type { SchemeFormat } from '../../src/pay/scheme.ts';
import type { ChannelPayment } from '../../src/pay/schemes/batch-settlement/channel.ts';
import { CHANNEL_FORMAT } from '../../src/pay/schemes/batch-settlement/format.ts';
import type { SignedAuthorization } from '../../src/pay/schemes/exact/authorization.ts';
import { EXACT_FORMAT } from '../../src/pay/schemes/exact/format.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import type { Claim } from '../../src/pay/transition.ts';
import type { MaybePromise } from '../../src/runtime/maybe-promise.ts';
import { type FakeClock, fakeClock } from './fakes.ts';
import { emptyLedger, sharedServer } from './postgres-server.ts';

/** The ways of paying whose sales are measured. */
export const SALE_KINDS = ['exact', 'channel'] as const;
export type SaleKind = (typeof SALE_KINDS)[number];

const NETWORK = 'eip155:8453';
const ASSET = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const PAY_TO = `0x${'3c'.repeat(20)}`;
const RESOURCE = '/v1/perp/basis?ticker=BTC&venues=binance%2Cokx';
/** Buyers whose sales follow each other. */
const BUYERS = 16;
const PAUSE_MS = 40;
const START = Date.UTC(2026, 10, 22);

/** Hex digits that differ from sale to sale, as those of hashes and signatures do. */
const hexOf = (bytes: number, sale: number): string => {
  const number = Buffer.alloc(bytes);
  for (let i = 0; i < bytes; i++) number[i] = (Math.imul(sale + 1, 2_654_435_761) >>> (i % 24)) + 31 * i;
  return `0x${number.toString('hex')}`;
};

function claimAs<Signed>(format: SchemeFormat<Signed>, signed: Signed, payer: string, nonce: string): Claim {
  return {
    key: paymentKey(NETWORK, ASSET, { payer, nonce }),
    routeId: 'perp-basis',
    resource: RESOURCE,
    resourceHash: resourceHash('GET', RESOURCE),
    network: NETWORK,
    asset: ASSET,
    payTo: PAY_TO,
    payer,
    nonce,
    amount: '5000',
    usd: '0.005',
    scheme: format.name,
    signed,
    overAt: format.overAt(signed),
    paymentIdHash: undefined,
  };
}

function exactClaim(sale: number): Claim {
  const payer = hexOf(20, sale % BUYERS);
  const nonce = hexOf(32, sale);
  const authorization = {
    from: payer,
    to: PAY_TO,
    value: '5000',
    validAfter: '1795312000',
    validBefore: '1795312900',
    nonce,
  };
  const signed: SignedAuthorization = { signature: hexOf(65, sale), authorization };
  return claimAs(EXACT_FORMAT, signed, payer, nonce);
}

function channelClaim(sale: number): Claim {
  const payer = hexOf(20, sale % BUYERS);
  const channelId = hexOf(32, sale % BUYERS);
  const total = String(5000 * (Math.floor(sale / BUYERS) + 1));
  const config = {
    payer,
    payerAuthorizer: payer,
    receiver: PAY_TO,
    receiverAuthorizer: `0x${'4d'.repeat(20)}`,
    token: ASSET.toLowerCase(),
    withdrawDelay: 86_400,
    salt: `0x${'00'.repeat(32)}`,
  };
  const voucher = { channelId, total, signature: hexOf(65, sale) };
  const signed: ChannelPayment = { config, voucher, deposit: undefined };
  return claimAs(CHANNEL_FORMAT, signed, payer, `${channelId}:${total}`);
}

/** An answer as one is sold: its headers are what its receipt says of it. */
const answerOf = (sale: number) => ({
  status: 200,
  headers: {
    'content-type': 'application/json',
    'x-data-as-of': new Date(START + sale * PAUSE_MS).toISOString(),
    'x-data-sources': 'binance,bybit,okx,hyperliquid,gate,bitget,kucoin;mexc,bingx',
  },
  body: Buffer.from(JSON.stringify({ data: { sale } }).padEnd(1_200)),
});

/** Sells so many, each buyer's one after the other: the answer is stored, receipts are signed and kept, the answer arrives. */
async function sellInto(ledger: Ledger, { from, count, ...order }: SellOrder): Promise<void> {
  for (let first = from; first < from + count; first += BUYERS) {
    order.clock.advance(PAUSE_MS);
    await Promise.all(Array.from({ length: BUYERS }, (_, i) => sellOne(ledger, first + i, order)));
  }
}

async function sellOne(ledger: Ledger, sale: number, { kind, issuer, clock }: SaleOrder): Promise<void> {
  const claim = await ledger.claim(kind === 'exact' ? exactClaim(sale) : channelClaim(sale));
  if (claim.kind !== 'claimed') throw new Error(claim.kind);
  const answer = answerOf(sale);
  const transaction = kind === 'exact' ? hexOf(32, sale + 7) : '';
  const settled = { state: 'settled', settledAt: clock.now(), transaction, proof: 'rpc' } as const;
  const receipts = issuer?.issue({ ...claim.record, ...settled }, answer);
  const change = { ...settled, facilitator: kind === 'exact' ? 'facilitator.example' : 'voucher' };
  const held = await ledger.hold(claim.record, change, answer, { receipts });
  if (held === undefined || held === 'full' || !(await ledger.arrived(held))) throw new Error('not sold');
}

interface SaleOrder {
  readonly kind: SaleKind;
  readonly issuer: ReceiptIssuer | undefined;
  readonly clock: FakeClock;
}

interface SellOrder extends SaleOrder {
  readonly from: number;
  /** A multiple of the number of buyers. */
  readonly count: number;
}

interface MeasureOptions {
  readonly kind: SaleKind;
  /** Counted sales, a multiple of the number of buyers, after as many which fill the first pages. */
  readonly sales: number;
  readonly hasReceipts: boolean;
}

/** Growth of a store with each of so many sales, in the measure of `sizeOf`. */
async function growthOf(
  store: LedgerStore,
  { kind, sales, hasReceipts }: MeasureOptions,
  clock: FakeClock,
  folder: string,
  sizeOf: () => MaybePromise<number>,
): Promise<number> {
  const keys = new KeyRing(join(folder, 'keys.json'), clock);
  const baseUrl = 'https://api.perpmeter.example';
  const issuer = hasReceipts
    ? new ReceiptIssuer({ keys, baseUrl, routeTable: 'nUn1XqKfW5cJmPpGdQk9Zw' })
    : undefined;
  const ledger = new Ledger({ store, clock, owner: '4711-1795312000000-8f2c' });
  const order = { kind, count: sales, issuer, clock } as const;
  try {
    await sellInto(ledger, { ...order, from: 0 });
    const before = await sizeOf();
    await sellInto(ledger, { ...order, from: sales });
    return ((await sizeOf()) - before) / sales;
  } finally {
    await ledger.close();
  }
}

/**
 * Bytes by which the file of an embedded ledger grows with each sale whose answer has arrived. Once its day is closed its
 * receipt's leaf moves into the day's tree and takes less.
 */
export async function lmdbBytesOfSale(options: MeasureOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'sale-bytes-'));
  const clock = fakeClock(START);
  const path = join(folder, 'ledger');
  const store = openLmdbStore(path, { formats: FORMATS, clock });
  try {
    return await growthOf(store, options, clock, folder, () => statSync(join(path, 'data.mdb')).size);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bytes by which the tables of a ledger on PostgreSQL and their indexes grow with each such sale, dead rows not counted. */
export async function postgresBytesOfSale(options: MeasureOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'sale-bytes-'));
  const clock = fakeClock(START);
  const store = await openPostgresStore(await emptyLedger(), { formats: FORMATS });
  const server = await sharedServer();
  const size = async (): Promise<number> => {
    await server.query('postgres', 'VACUUM FULL');
    const [row] = await server.query('postgres', TABLE_BYTES);
    return Number(row?.bytes);
  };
  try {
    return await growthOf(store, options, clock, folder, size);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const TABLE_BYTES = `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'perpmeter'::regnamespace`;
