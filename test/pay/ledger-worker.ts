/**
 * A process of its own for ledger tests. `hold <folder> <keys>`: claims keys 0..n-1 and holds an answer for each,
 * all at once; prints those it got. `purchase <folder> <count>`: the same under identifiers 0..n-1, each with a
 * nonce of its own. `stall <folder> <stage> <header>`: takes a payment to a stage, prints it, and waits to be
 * killed.
 */

import { hash } from 'node:crypto';
import { systemClock } from '../../src/domain/clock.ts';
import { ok } from '../../src/domain/errors.ts';
import type { Facilitator } from '../../src/pay/facilitator.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import { createPaywall } from '../../src/pay/paywall.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import type { ProtectedRoute } from '../../src/pay/types.ts';
import { createOwner } from '../../src/storage/process-owner.ts';
import { exactOf } from './exact.ts';
import { fakeFacilitator, TRANSACTION } from './fakes.ts';
import { claimOf, WORKER_ID } from './ledger-claims.ts';
import { problemReply } from './paid-server.ts';
import { paidRoutes, routeOf, sellerAt, shippedPrices } from './routes.ts';

const [command, folder = '', argument = '', header = ''] = process.argv.slice(2);
const ledger = new Ledger({
  store: openLmdbStore(folder, { formats: FORMATS }),
  clock: systemClock,
  owner: createOwner(),
});

const ANSWER = { status: 200, headers: {}, body: Buffer.from('{}') };

/** True if this process got it. */
async function hold(key: string, paymentIdHash?: string): Promise<boolean> {
  const claim = await ledger.claim({ ...claimOf(key), paymentIdHash });
  if (claim.kind !== 'claimed') return false;
  const held = await ledger.hold(claim.record, { state: 'settling' }, ANSWER);
  return held !== undefined && held !== 'full';
}

async function holdAll(count: number, hold: (index: number) => Promise<boolean>): Promise<void> {
  process.stdout.write('ready\n');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  const results = await Promise.all(Array.from({ length: count }, (_, i) => hold(i)));
  const won = results.flatMap((got, i) => (got ? [i] : []));
  process.stdout.write(`${JSON.stringify(won)}\n`);
  await ledger.close();
}

type Stall = () => Promise<never>;

/** Sells by this process's ledger; its facilitator stalls at its own stages. */
async function stallingPaywall(routes: readonly ProtectedRoute[], stage: string, stalled: Stall) {
  const seller = sellerAt();
  const facilitator: Facilitator = {
    ...fakeFacilitator(),
    verify: async () => (stage === 'verify' ? stalled() : { kind: 'valid' }),
    settle: async () => (stage === 'settle' ? stalled() : { kind: 'settled', transaction: TRANSACTION }),
  };
  const made = createPaywall({
    seller,
    prices: shippedPrices(),
    routes,
    ledger,
    schemes: [await exactOf({ seller, routes, clock: systemClock, facilitators: [facilitator] })],
    clock: systemClock,
    renderProblem: problemReply,
  });
  if (!made.ok) throw new Error(made.errors.join());
  return made.value;
}

async function stallAt(stage: string): Promise<void> {
  const stalled: Stall = async () => {
    process.stdout.write(`${stage}\n`);
    return new Promise<never>(() => setInterval(() => {}, 1_000));
  };
  const routes = paidRoutes();
  const paywall = await stallingPaywall(routes, stage, stalled);
  const input = {
    method: 'GET',
    resource: '/v1/perp/basis?ticker=BTC',
    paymentSignature: header,
    idempotencyKey: WORKER_ID,
    address: '127.0.0.1',
  };
  const produce = async () => {
    if (stage === 'produce') await stalled();
    return ok({ status: 200, headers: {}, body: Buffer.from('{"product":"made before the crash"}') });
  };
  const reply = await paywall.pay(routeOf(routes, 'perp-basis'), input, {
    check: () => undefined,
    produce,
  });
  if (stage === 'send' && reply.status === 200) await stalled();
  throw new Error(`did not stall: ${reply.status}`);
}

const byNonce = (index: number): Promise<boolean> => hold(`key-${index}`);
const byIdentifier = (index: number): Promise<boolean> =>
  hold(`${process.pid}-${index}`, hash('sha256', `order-${index}`));
await (command === 'stall'
  ? stallAt(argument)
  : holdAll(Number(argument), command === 'hold' ? byNonce : byIdentifier));
