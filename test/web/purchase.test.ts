import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createExampleApi, type ExampleApi } from '../api/example-api.ts';
import { until } from '../until.ts';

interface Call {
  readonly path: string;
  readonly challenge: { readonly accepts: readonly { readonly amount: string }[] };
}

type Purchase = Promise<string | undefined>;

/** Of web/pay/purchase.ts, which is checked with a browser's types. */
interface Paying {
  purchase(calls: readonly Call[], from: unknown, covered?: readonly Call[]): Purchase;
  purchaseOf(calls: readonly Call[]): Purchase | undefined;
  messageOf(calls: readonly Call[]): string | undefined;
  onPurchases(began: () => void): () => void;
}

/** Of web/data/answers.ts. */
interface Answers {
  ask(path: string): Promise<{ readonly state: string; readonly calls?: readonly Call[] }>;
}

/** Of web/data/bundle.ts. */
interface Bundles {
  bundleOffer(
    bundle: Call,
    calls: readonly Call[],
  ): { readonly calls: readonly Call[]; readonly covered: readonly Call[] } | undefined;
}

const account = privateKeyToAccount(`0x${'42'.repeat(32)}`);
const METHODS: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
  eth_requestAccounts: () => [account.address],
  eth_chainId: () => '0x2105',
  eth_signTypedData_v4: ([, text]) => account.signTypedData(JSON.parse(String(text))),
};
const provider = {
  request: async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) =>
    METHODS[method]?.(params),
};
const FROM = { wallet: { name: 'Wallet', provider, isDemo: false }, isByChannel: false };

const storage = (): unknown => {
  const kept = new Map<string, string>([['perpmeter-cap', '10']]);
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  };
};

let example: ExampleApi;
let paying: Paying;
let answers: Answers;
let bundles: Bundles;

beforeAll(async () => {
  example = createExampleApi({ mode: 'remote' });
  const base = await example.start();
  const nothing = (): void => {};
  vi.stubGlobal('document', { querySelector: () => null });
  vi.stubGlobal('location', { origin: base });
  vi.stubGlobal('localStorage', storage());
  vi.stubGlobal('sessionStorage', storage());
  vi.stubGlobal('addEventListener', nothing);
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(new URL(path, base), init));
  const file = (name: string): string => new URL(`../../web/${name}`, import.meta.url).href;
  answers = (await import(file('data/answers.ts'))) as Answers;
  bundles = (await import(file('data/bundle.ts'))) as Bundles;
  paying = (await import(file('pay/purchase.ts'))) as Paying;
});
beforeEach(() => {
  example.paywall.taken.length = 0;
  example.paywall.hold = undefined;
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await example.api.close();
});

async function forSale(path: string): Promise<Call> {
  const { calls = [] } = await answers.ask(path);
  const [call] = calls;
  if (call === undefined) throw new Error(`${path} is not for sale`);
  return call;
}

const slippage = (ticker: string): string =>
  `/v1/orderbook/multi-venue-slippage?ticker=${ticker}&size_usd=1000`;
const asset = (ticker: string): string => `/v1/bundles/asset?ticker=${ticker}`;
const snapshot = (ticker: string): string => `/v1/perp/snapshot?ticker=${ticker}`;
const paths = (): readonly string[] => example.paywall.taken.map(({ resource }) => resource);

describe('parts of a bundle that is being bought', () => {
  it('their own purchase waits its turn: not paid again', async () => {
    const bundle = await forSale(asset('BTC'));
    const parts = [await forSale(slippage('BTC')), await forSale(snapshot('BTC'))];
    const said = [paying.purchase([bundle], FROM), paying.purchase(parts, FROM)];
    expect(await Promise.all(said)).toEqual([undefined, undefined]);
    expect(paths()).toEqual([asset('BTC')]);
  });

  it('covered by it: its purchase is theirs, and is told', async () => {
    const bundle = await forSale(asset('ETH'));
    const part = await forSale(slippage('ETH'));
    let settle = (): void => {};
    example.paywall.hold = new Promise((resolve) => {
      settle = resolve;
    });
    let told = 0;
    const stop = paying.onPurchases(() => {
      told += 1;
    });
    const made = paying.purchase([bundle], FROM, [part]);
    stop();
    expect([told, paying.purchaseOf([part])]).toEqual([1, made]);
    await until(() => expect(paths()).toHaveLength(1));
    expect(paying.purchase([part], FROM)).toBe(made);
    settle();
    expect(await made).toBeUndefined();
    expect([part, bundle].map((call) => paying.purchaseOf([call]))).toEqual([undefined, undefined]);
    expect((await answers.ask(slippage('ETH'))).state).toBe('ready');
    expect(paths()).toEqual([asset('ETH')]);
  });
});

describe('a call whose data is away for now', () => {
  it('a part of a bundle: not bought, and the part is named', async () => {
    const bundle = await forSale(asset('NORATE'));
    const part = await forSale(snapshot('NORATE'));
    const said = await paying.purchase([bundle], FROM, [part]);
    expect(said).toMatch(
      /^Not bought\. .*multi-venue-slippage.*ticker=NORATE.* parts are sold by themselves/,
    );
    expect(paying.purchaseOf([part])).toBeUndefined();
    expect((await answers.ask(snapshot('NORATE'))).state).toBe('unpaid');
    // Also a part of the page that is drawn after the end has the message, until the next purchase.
    expect([bundle, part].map((call) => paying.messageOf([call]))).toEqual([said, said]);
    const next = paying.purchase([part], FROM);
    expect(paying.messageOf([part])).toBeUndefined();
    expect([await next, paying.messageOf([part])]).toEqual([undefined, undefined]);
  });

  it('among others: keeps none of them back', async () => {
    const calls = [await forSale(slippage('NORATE')), await forSale(slippage('BTC&side=buy'))];
    expect(await paying.purchase(calls, FROM)).toMatch(/^Not bought\. No venue/);
    expect(paths()).toHaveLength(calls.length);
    const states = await Promise.all(calls.map(async ({ path }) => (await answers.ask(path)).state));
    expect(states).toEqual(['unpaid', 'ready']);
  });
});

const priced = (path: string, amount: string): Call => ({ path, challenge: { accepts: [{ amount }] } });
const HISTORY = [
  '/v1/funding/historical?ticker=BTC',
  ...['oi', 'volume'].flatMap((kind) =>
    ['binance', 'bybit', 'okx'].map((venue) => `/v1/perp/${kind}-history?ticker=BTC&venue=${venue}`),
  ),
].map((path) => priced(path, '5000'));
const ASSET = priced('/v1/bundles/asset?ticker=BTC', '40000');
const MATRIX = priced('/v1/bundles/matrix', '5000');
const pages = (count: number): readonly Call[] =>
  Array.from({ length: count }, (_, page) => priced(`/v1/funding/current?offset=${page}000`, '1000'));

describe('the offer of a bundle', () => {
  it('dearer than what is left of its calls: none', () => {
    expect(bundles.bundleOffer(ASSET, HISTORY)).toBeUndefined();
    expect(bundles.bundleOffer(MATRIX, pages(4))).toBeUndefined();
  });

  it('calls that it lacks: beside it, and no part of the comparison', () => {
    const signal = priced('/v1/perp/arbitrage/funding-signal?notional_usd=10000', '5000');
    expect(bundles.bundleOffer(MATRIX, [...pages(4), signal])).toBeUndefined();
    expect(bundles.bundleOffer(MATRIX, [...pages(6), signal])).toEqual({
      calls: [MATRIX, signal],
      covered: pages(6),
    });
  });

  it('further calls to be named by the snapshot: it stands', () => {
    const first = priced('/v1/perp/snapshot?ticker=BTC', '5000');
    expect(bundles.bundleOffer(ASSET, [first])).toEqual({ calls: [ASSET], covered: [first] });
    const named = priced(`${ASSET.path}&history_venues=okx`, '40000');
    expect(bundles.bundleOffer(named, [first])).toBeUndefined();
  });
});
