import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import { createPayments } from '../../src/pay/payments.ts';
import { FORMATS, SCHEMES } from '../../src/pay/schemes/list.ts';
import { unattended } from '../../src/pay/unattended.ts';
import { until } from '../until.ts';
import { buyersChannel, channelRig, fund, SELLER } from './channels/channel-rig.ts';
import { fakeClock, fakeFacilitator } from './fakes.ts';
import { problemReply, startPaidServer } from './paid-server.ts';
import { paidRoutes, shippedPrices } from './routes.ts';

const PATH = '/v1/perp/basis?ticker=BTC';
const UNKNOWN = { kind: 'unknown', reason: 'away', pending: false, transaction: undefined } as const;

it('channels without their key: said once, with what is open and owed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'unattended-'));
  const clock = fakeClock();
  const store = openLmdbStore(folder, { formats: FORMATS, clock });
  const rig = await channelRig(store, clock);
  const { payTo } = SELLER;
  const schemes = [rig.scheme];
  const server = await startPaidServer({ facilitator: fakeFacilitator(), payTo, clock, store, schemes });
  expect(await unattended(server.ledger, SCHEMES, [])).toEqual([]);
  const channel = buyersChannel();
  fund(rig.chain, channel, 50_000n);
  for (const total of [5_000n, 10_000n])
    expect((await fetch(server.url + PATH, { headers: await channel.voucher(total) })).status).toBe(200);
  rig.facilitator.settleWith = [UNKNOWN];
  const deposit = await buyersChannel().deposit(25_000n, 5_000n);
  expect((await fetch(server.url + PATH, { headers: deposit })).status).toBe(503);
  expect(await unattended(server.ledger, SCHEMES, schemes)).toEqual([]);
  await server.stop();

  const errors: string[] = [];
  const made = await createPayments({
    config: {
      mode: 'remote',
      seller: SELLER,
      facilitators: [{ url: 'http://127.0.0.1:1', auth: { kind: 'none' } }],
      ledgerPath: folder,
    } as never,
    prices: shippedPrices(),
    routes: paidRoutes(),
    renderProblem: problemReply,
    routeTable: 'test',
    onError: (cause) => errors.push(String(cause)),
  });
  if (!made.ok) throw new Error(made.errors.join());
  made.value.start();
  const isSaid = (text: string): boolean =>
    text.includes('batch-settlement on eip155:8453 is not offered any more');
  await until(() => expect(errors.some(isSaid)).toBe(true));
  await made.value.stop();
  expect(errors.filter(isSaid)).toEqual([
    expect.stringMatching(/1 payments of it are open, and 0\.01 USD are not claimed.*CHANNEL_AUTHORIZER_KEY/),
  ]);
  rmSync(folder, { recursive: true, force: true });
});
