import Type from 'typebox';
import { ok } from '../../domain/errors.ts';
import { type AcceptsEntry, acceptsEntry } from '../../pay/requirement.ts';
import { nullable, text } from '../../products/answer/schema.ts';
import { defineProduct } from '../../products/define-product.ts';
import { fundingCurrent } from '../../products/funding-current.ts';
import { protectedRoute } from '../protect.ts';
import { routeOf, type Services } from '../route.ts';

/** The route of which the preview is a part. */
const SOLD = routeOf(fundingCurrent);

const answer = Type.Object({
  price_usd: nullable(text('Price of one answer, decimal text; null where nothing is charged')),
  accepts: Type.Array(Type.Unsafe<AcceptsEntry>({ type: 'object' }), {
    description: 'The payment requirement, as in the 402 challenge; empty where nothing is charged',
  }),
  steps: Type.Array(Type.String(), { description: 'From the preview to the paid answer' }),
  example: Type.Object(
    { curl: text('Shell command that shows the challenge'), typescript: text('Program that pays and reads') },
    { description: 'Ready to run' },
  ),
});

const STEPS = [
  'GET the address below without a payment: the answer is 402, its header payment-required holds the challenge as base64.',
  'Sign an EIP-3009 transferWithAuthorization over the terms of one entry of accepts; nothing is sent to the chain by you.',
  'Repeat the same GET with the signed payload as base64 in PAYMENT-SIGNATURE (or X-PAYMENT).',
  'The payment is verified, the answer is made, the payment is settled, then the answer is delivered. An error is never charged.',
] as const;

const FREE_STEPS = ['Nothing is charged here: GET the address below.'] as const;

function examples(url: string, network: string) {
  return {
    curl: `curl -i '${url}?symbol=BTC'`,
    typescript: [
      "import { ExactEvmScheme } from '@x402/evm';",
      "import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';",
      "import { privateKeyToAccount } from 'viem/accounts';",
      '',
      'const client = new ExactEvmScheme(privateKeyToAccount(process.env.PRIVATE_KEY));',
      `const buy = wrapFetchWithPaymentFromConfig(fetch, { schemes: [{ network: '${network}', client }] });`,
      `const answer = await buy('${url}?symbol=BTC');`,
      'console.log(await answer.json());',
    ].join('\n'),
  };
}

function upgrade({ payments, service, clock }: Services) {
  const { seller, prices, offers } = payments;
  const price = prices.priceAt(SOLD.id, clock.now());
  const url = service.baseUrl + SOLD.path;
  if (seller === undefined || price === undefined) {
    return { price_usd: null, accepts: [], steps: FREE_STEPS, example: examples(url, 'eip155:8453') };
  }
  return {
    price_usd: price.usd,
    accepts: offers.map(({ terms }) => acceptsEntry(terms(price.atomic), seller, protectedRoute(SOLD))),
    steps: STEPS,
    example: examples(url, seller.network.id),
  };
}

export const previewUpgrade = defineProduct({
  id: 'preview-funding-current-upgrade',
  path: '/v1/preview/funding-current/upgrade',
  access: 'free',
  summary: 'From the preview to the paid answer',
  description:
    'Price, payment requirement, steps and ready-to-run examples for buying the full list of live funding rates that the preview samples.',
  tags: ['preview', 'payments'],
  dependsOn: 'document',
  revisedAt: '2026-11-20T00:00:00.000Z',
  answer,
  compute: (_, services: Services) => ok({ content: { json: upgrade(services) } }),
});
