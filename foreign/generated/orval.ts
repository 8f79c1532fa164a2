// The client that orval makes of the document of OpenAPI 3.0, which calls fetch with paths alone.
import { assets, fundingCurrent, perpSnapshot } from '../node_modules/.generated/orval.ts';
import { baseUrl, paying, say, unpaid } from './counter.ts';

const from =
  (ask: typeof fetch): typeof fetch =>
  (input, init) =>
    ask(new URL(String(input), baseUrl), init);

globalThis.fetch = from(unpaid);
const free = await assets();
say('free route', free.data, free.status === 200 && free.data.assets.length > 0);

const refused = await fundingCurrent({ symbol: 'BTC' });
say('challenge', refused.data, refused.status === 402 && refused.data.accepts.length > 0);

globalThis.fetch = from(paying);
const current = await fundingCurrent({ symbol: 'BTC' });
const rate: number | null | undefined = current.status === 200 ? current.data.rates[0]?.rate_8h : undefined;
say('paid route', current.data, typeof rate === 'number', current.headers.has('payment-response'));

const snapshot = await perpSnapshot({ ticker: 'BTC' });
const data = snapshot.status === 200 ? snapshot.data : undefined;
// An answer about several assets has one of these for each.
const asset: string | undefined =
  data !== undefined && 'canonical_id' in data ? data.canonical_id : undefined;
// @ts-expect-error: no schema has this field
const nothing: unknown = data?.no_such_field;
say('paid route of one asset or several', snapshot.data, asset === 'crypto:BTC', nothing === undefined);
