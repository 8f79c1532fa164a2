import { HTTPFacilitatorClient, type RouteConfig } from '@x402/core/server';
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/server';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';
import { bazaarResourceServerExtension } from '@x402/extensions/bazaar';
import express from 'express';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { protectedRoutes } from '../../src/api/catalog.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { PRICE_LISTS, ROUTES } from '../../src/modules/routes.ts';
import { bazaarExtension } from '../../src/pay/bazaar.ts';
import { loadPriceSchedule } from '../../src/pay/prices.ts';
import { exactTerms } from '../../src/pay/schemes/exact/offer.ts';
import { CHANNEL_DELAY } from './channels.ts';
import type { PayOrder } from './messages.ts';
import { stubFacilitator } from './stub-facilitator.ts';
import { benchSeller, SOLD } from './terms.ts';

type OfficialOrder = Extract<PayOrder, { by: 'official'; body: string }>;

/** All routes of the price list, each with its description and its declaration for discovery, as ours has them. */
function officialRoutes(scheme: string): Record<string, RouteConfig> {
  const seller = benchSeller();
  const loaded = loadPriceSchedule([], PRICE_LISTS);
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
  const prices = loaded.value;
  const routes = protectedRoutes(ROUTES).map((route) => {
    const atomic = prices.priceAt(route.id, systemClock.now())?.atomic ?? 0n;
    const { amount, asset, extra, network, payTo, maxTimeoutSeconds } = exactTerms(seller, atomic);
    const accepts = { scheme, network, payTo, maxTimeoutSeconds, price: { amount, asset, extra } };
    const { description } = route;
    const extensions = { bazaar: bazaarExtension(route, route.example) };
    const path = route.path.replace(/\{([^}]+)\}/g, ':$1');
    return [`GET ${path}`, { accepts, description, mimeType: 'application/json', extensions }] as const;
  });
  return Object.fromEntries(routes);
}

/** The official resource server: of `exact` with a facilitator in the process, of channels with one over HTTP. */
function officialServer({ channelsBy }: OfficialOrder): x402ResourceServer {
  const { network, payTo } = benchSeller();
  const id = network.id as `eip155:${number}`;
  if (channelsBy === undefined)
    return new x402ResourceServer(stubFacilitator).register(id, new ExactEvmScheme());
  const receiverAuthorizerSigner = privateKeyToAccount(generatePrivateKey());
  const scheme = new BatchSettlementEvmScheme(payTo as `0x${string}`, {
    receiverAuthorizerSigner,
    withdrawDelay: CHANNEL_DELAY,
  });
  return new x402ResourceServer(new HTTPFacilitatorClient({ url: channelsBy })).register(id, scheme);
}

/** The official middleware, Express as it comes, and a handler that has its bytes ready. */
export async function sellOfficial(order: OfficialOrder): Promise<number> {
  const server = officialServer(order).registerExtension(bazaarResourceServerExtension);
  const body = Buffer.from(order.body, 'base64');
  const scheme = order.channelsBy === undefined ? 'exact' : 'batch-settlement';
  const app = express();
  app.use(paymentMiddleware(officialRoutes(scheme), server));
  app.get(SOLD.path, (_request, response) => {
    response.type('application/json').send(body);
  });
  return new Promise((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => {
      const address = listening.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
