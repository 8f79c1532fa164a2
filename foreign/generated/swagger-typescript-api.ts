// The client that swagger-typescript-api makes of the document of OpenAPI 3.0. It throws what is not 2xx.
import { Api, type Challenge, type HttpResponse } from '../node_modules/.generated/swagger-typescript-api.ts';
import { baseUrl, paying, say, unpaid } from './counter.ts';

const visitor = new Api({ baseUrl, customFetch: unpaid });
const free = await visitor.v1.assets();
const assets: number = free.data.assets.length;
say('free route', free.data, assets > 0);

const refused = await visitor.v1.fundingCurrent({ symbol: 'BTC' }).then(
  () => undefined,
  (thrown: HttpResponse<unknown, Challenge>) => thrown,
);
say('challenge', refused?.error, refused?.status === 402, refused?.error.accepts.length !== 0);

const client = new Api({ baseUrl, customFetch: paying });
const current = await client.v1.fundingCurrent({ symbol: 'BTC' });
const rate: number | null | undefined = current.data.rates[0]?.rate_8h;
say('paid route', current.data, typeof rate === 'number', current.headers.has('payment-response'));

const { data } = await client.v1.perpSnapshot({ ticker: 'BTC' });
// An answer about several assets has one of these for each.
const asset: string | undefined = 'canonical_id' in data ? data.canonical_id : undefined;
// @ts-expect-error: no schema has this field
const nothing: unknown = data.no_such_field;
say('paid route of one asset or several', data, asset === 'crypto:BTC', nothing === undefined);
