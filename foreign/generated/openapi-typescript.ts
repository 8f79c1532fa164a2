// A client of the types that openapi-typescript makes of the document. The compiler reads it first: a field that is not in
// the document is an error.
import createClient from 'openapi-fetch';
import type { paths } from '../node_modules/.generated/openapi-typescript.ts';
import { baseUrl, paying, say, unpaid } from './counter.ts';

const visitor = createClient<paths>({ baseUrl, fetch: unpaid });
const free = await visitor.GET('/v1/assets');
const assets: number = free.data?.assets.length ?? 0;
say('free route', free.data, assets > 0);

const query = { symbol: 'BTC' };
const refused = await visitor.GET('/v1/funding/current', { params: { query } });
const challenge = refused.error !== undefined && 'accepts' in refused.error ? refused.error : undefined;
say('challenge', challenge, refused.response.status === 402, challenge?.accepts.length !== 0);

const client = createClient<paths>({ baseUrl, fetch: paying });
const current = await client.GET('/v1/funding/current', { params: { query } });
const rate: number | null | undefined = current.data?.rates[0]?.rate_8h;
say('paid route', current.data, typeof rate === 'number', current.response.headers.has('payment-response'));

const snapshot = await client.GET('/v1/perp/snapshot', { params: { query: { ticker: 'BTC' } } });
// An answer about several assets has one of these for each.
const one = snapshot.data !== undefined && 'canonical_id' in snapshot.data ? snapshot.data : undefined;
const asset: string | undefined = one?.canonical_id;
// @ts-expect-error: no schema has this field
const nothing: unknown = snapshot.data?.no_such_field;
say('paid route of one asset or several', snapshot.data, asset === 'crypto:BTC', nothing === undefined);
