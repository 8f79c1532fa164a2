import { setImmediate as nextTurn } from 'node:timers/promises';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import { startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { settlementRequest } from '../../src/pay/schemes/exact/request.ts';
import { createSandboxFacilitator } from '../../src/pay/schemes/exact/sandbox-facilitator.ts';
import { paidRoutes, routeOf, sellerAt } from './routes.ts';
import { sandboxConfig } from './sandbox-config.ts';
import { newAccount, paymentOf, signAuthorization } from './wallet.ts';

it('a fresh chain: payments at once are settled, if anybody can pay', async () => {
  const chain = await startSandboxChain();
  try {
    const { rpcUrl, network, facilitator, buyer } = chain;
    const settler = await createSandboxFacilitator({
      rpcUrl,
      network,
      privateKey: facilitator.privateKey,
    });
    const route = routeOf(paidRoutes(), 'perp-basis');
    const { seller } = sandboxConfig(chain, { ...sellerAt(), ledgerPath: '', serviceName: 'test' });
    const account = privateKeyToAccount(buyer.privateKey);
    const poor = newAccount();
    const isPoor = (i: number): boolean => i % 10 === 9;
    const requests = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const payer = isPoor(i) ? poor : account;
        const payment = paymentOf(await signAuthorization(payer, seller));
        const record = { ...payment, resource: '/v1/perp/basis', amount: '1000' };
        return settlementRequest(seller, route, record);
      }),
    );
    const settling: ReturnType<typeof settler.settle>[] = [];
    for (const request of requests) {
      settling.push(settler.settle(request));
      await nextTurn();
    }
    const outcomes = (await Promise.all(settling)).map(({ kind }) => kind);
    expect(outcomes).toEqual(outcomes.map((_, i) => (isPoor(i) ? 'refused' : 'settled')));
  } finally {
    await chain.stop();
  }
});
