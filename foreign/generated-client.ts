// A client of the types that openapi-typescript makes of the document calls a free and a paid route. Arguments: the address
// of the service, and the buyer's key. The compiler reads it first: a field that is not in the document is an error.
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import createClient from 'openapi-fetch';
import { privateKeyToAccount } from 'viem/accounts';
import type { paths } from './node_modules/.generated/schema.d.ts';

const [baseUrl = '', key = ''] = process.argv.slice(2);
const wallet = new x402Client().register(
  'eip155:8453',
  new ExactEvmScheme(privateKeyToAccount(key as `0x${string}`)),
);
const client = createClient<paths>({ baseUrl, fetch: wrapFetchWithPayment(fetch, wallet) });

const free = await client.GET('/v1/venues/list');
const venues: number | undefined = free.data?.length;
console.log(JSON.stringify({ name: 'free route', fault: venues ? undefined : free.response.status }));

const paid = await client.GET('/v1/perp/snapshot', { params: { query: { ticker: 'BTC' } } });
// An answer about several assets has one of these for each.
const one = paid.data !== undefined && 'canonical_id' in paid.data ? paid.data : undefined;
const asset: string | undefined = one?.canonical_id;
// @ts-expect-error: what no schema has is not there
const nothing: unknown = paid.data?.no_such_field;
const isBought =
  asset === 'crypto:BTC' && nothing === undefined && paid.response.headers.has('payment-response');
console.log(JSON.stringify({ name: 'paid route', fault: isBought ? undefined : paid.response.status }));
