import Type from 'typebox';
import { ok } from '../../domain/errors.ts';
import { defineProduct } from '../../products/define-product.ts';
import type { Route, Services } from '../route.ts';

/** A parameter as one reads it: `ticker` or `[limit]`. */
function parametersOf(route: Route): string {
  const named = [...route.queryParameters].map(([name, { required }]) => (required ? name : `[${name}]`));
  return named.length === 0 ? '' : ` Parameters: ${named.join(', ')}.`;
}

function line(route: Route, price: string | undefined, baseUrl: string): string {
  const terms = price === undefined ? 'free' : `${price} USD`;
  return `- [${route.summary}](${baseUrl}${route.path}): ${terms}. ${route.description}${parametersOf(route)}`;
}

/** The ways of paying in sentences: each scheme once, on all networks on which it is taken. */
function waysOf({ offers }: Services['payments']): string {
  const names = [...new Set(offers.map(({ name }) => name))];
  return names
    .flatMap((name) => {
      const [first, ...others] = offers.filter((offer) => offer.name === name);
      return first === undefined ? [] : [first.words(others.map(({ seller }) => seller))];
    })
    .join(' ');
}

/** Describes the service, and the way an agent buys from it, as Markdown (https://llmstxt.org). */
function llmsText({ routes, payments, service, clock, tools, soldHeaders }: Services): string {
  const { baseUrl, name, data } = service;
  const { seller } = payments;
  const now = clock.now();
  const priceOf = (route: Route): string | undefined =>
    route.access === 'paid' && seller !== undefined ? payments.prices.priceAt(route.id, now)?.usd : undefined;
  const lines = (wanted: Route['access']): string =>
    routes
      .filter(({ access, contentType }) => access === wanted && contentType === undefined)
      .map((route) => line(route, priceOf(route), baseUrl))
      .join('\n');
  const simulated = data === 'simulated' ? '\n\nAll data of this instance is simulated.' : '';
  const terms =
    seller === undefined
      ? 'Nothing is charged here: every path answers at once.'
      : `Paid paths answer an unpaid GET with 402 and a challenge in the header payment-required (base64 JSON, x402 version 2). ${waysOf(payments)} No account and no key. An error is never charged. Name each purchase by an identifier of your own (the extension payment-identifier, or the header Idempotency-Key): for 24 hours you are charged once under it, also where you sign anew because an answer was lost. The same request gets the same answer for ten minutes, then 409 already_paid; another request gets 409 identifier_used.${soldHeaders.map(({ words }) => ` ${words}`).join('')}`;
  return `# ${name}

> Market data of perpetual futures from more than thirty venues, made comparable: funding rates with their true intervals, mark and index prices, open interest, volume, order books, scans and history. One HTTP GET, one answer.${simulated}

${terms}

Rates are fractions per funding interval of their venue (0.0001 = 1 bp, positive: longs pay shorts); rate_8h is scaled to eight hours and null where the interval is not known. Unknown is null, never zero. Times are ISO 8601 or Unix time in seconds or milliseconds. A parameter takes one value unless its description shows a list; ask once for each asset or venue. fees=binance:2.4,bybit:3 counts your own taker fees (bps) where fees count, maker= states maker fees beside. Errors are application/problem+json with a code, what to do and, as instead, the nearest request that is served; 409 names the assets behind an ambiguous ticker.

## Paid

${lines('paid')}

## Free

${lines('free')}

## Documents

- [OpenAPI](${baseUrl}/openapi.json): every parameter, answer and price
- [Catalog](${baseUrl}/v1/x402/discovery/resources): payment requirements of everything that is sold
- [Search](${baseUrl}/v1/x402/discovery/search?query=funding): the same by words
- [Prices over time](${baseUrl}/v1/pricing/changelog)${tools === undefined ? '' : `\n- [Tools](${baseUrl}/mcp): all of this over MCP, paid in band`}
`;
}

export const llms = defineProduct({
  id: 'llms-txt',
  path: '/llms.txt',
  access: 'free',
  summary: 'The service in words, for agents',
  description:
    'What is sold here, at which price, with which parameters, and how to pay for it: one page of Markdown for language models, made from the same table as everything else.',
  tags: ['discovery'],
  dependsOn: 'document',
  revisedAt: '2026-11-21T00:00:00.000Z',
  contentType: 'text/plain; charset=utf-8',
  answer: Type.String(),
  compute: (_, services: Services) =>
    ok({ content: { bytes: Buffer.from(llmsText(services)), contentType: 'text/plain; charset=utf-8' } }),
});
