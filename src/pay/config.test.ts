import { describe, expect, it } from 'vitest';
import { type ChargingConfig, everyNetwork, parsePaymentConfig } from './config.ts';
import { isLoopbackHost } from './config-fields.ts';

const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const REMOTE = {
  PAYMENTS_MODE: 'remote',
  PAY_TO_ADDRESS: PAY_TO,
  BASE_URL: 'https://data.example.com/',
  FACILITATOR_URL: 'https://facilitator.example.com/x402',
};

function errorsOf(env: Record<string, string | undefined>, host = '0.0.0.0'): readonly string[] {
  const parsed = parsePaymentConfig(env, host);
  return parsed.ok ? [] : parsed.errors;
}

describe('payment configuration', () => {
  it('fills in the network and the token', () => {
    const parsed = parsePaymentConfig(REMOTE, '0.0.0.0');
    expect(parsed).toMatchObject({
      ok: true,
      value: {
        mode: 'remote',
        baseUrl: 'https://data.example.com',
        facilitators: [{ url: 'https://facilitator.example.com/x402', auth: { kind: 'none' } }],
        seller: {
          payTo: PAY_TO,
          asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
          assetName: 'USD Coin',
          assetVersion: '2',
          network: { id: 'eip155:8453', v1Name: 'base' },
          iconUrl: 'https://data.example.com/icon.png',
        },
      },
    });
  });

  it('channels: offered with a key, whose address is in their terms', () => {
    const node = { ...REMOTE, RPC_URL: 'https://node.example.com' };
    const key = `0x${'0'.repeat(63)}1`;
    const parsed = parsePaymentConfig({ ...node, CHANNEL_AUTHORIZER_KEY: key }, '0.0.0.0');
    // The address of the key 1, as every wallet shows it.
    const receiverAuthorizer = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf';
    expect(parsed).toMatchObject({
      value: { channels: { receiverAuthorizer, withdrawDelay: 86_400, depositCalls: 2_500 } },
    });
    expect(parsePaymentConfig(node, '0.0.0.0')).toMatchObject({ value: { channels: undefined } });
  });

  it('several keys of channels: the first one for new channels', () => {
    const key = (digit: string) => `0x${digit.repeat(64)}`;
    const env = { ...REMOTE, RPC_URL: 'https://n.example.com' };
    const parsed = parsePaymentConfig(
      { ...env, CHANNEL_AUTHORIZER_KEY: `${key('1')}, ${key('2')}` },
      '0.0.0.0',
    );
    expect(parsed).toMatchObject({
      value: {
        channels: {
          authorizerKey: key('1'),
          receiverAuthorizer: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
          formerKeys: [{ privateKey: key('2'), address: '0x1563915e194D8CfBA1943570603F7606A3115508' }],
        },
      },
    });
    expect(errorsOf({ ...env, CHANNEL_AUTHORIZER_KEY: `${key('1')},0x2` }).join()).toContain('hex digits');
  });

  it.each([
    ['without a node', {}, 'need RPC_URL'],
    [
      'with no key of the curve',
      { RPC_URL: 'https://n.example.com', CHANNEL_AUTHORIZER_KEY: `0x${'00'.repeat(32)}` },
      'curve',
    ],
    [
      'with a deposit for no call',
      { RPC_URL: 'https://n.example.com', CHANNEL_DEPOSIT_CALLS: '0' },
      'from 1',
    ],
    [
      'with a delay of a minute',
      { RPC_URL: 'https://n.example.com', CHANNEL_WITHDRAW_DELAY_SECONDS: '60' },
      'from 900',
    ],
  ])('channels %s: refused', (_, change, said) => {
    const env = { ...REMOTE, CHANNEL_AUTHORIZER_KEY: `0x${'11'.repeat(32)}`, ...change };
    expect(errorsOf(env).join()).toContain(said);
  });

  it('names every fault at once', () => {
    const errors = errorsOf({
      PAYMENTS_MODE: 'remote',
      PAY_TO_ADDRESS: PAY_TO.toLowerCase(),
      ASSET_CONTRACT_ADDRESS: '0x1234',
      PAYMENT_NETWORK: 'base',
      BASE_URL: '/relative',
      FACILITATOR_URL: 'http://far.example.com',
      SERVICE_NAME: 'x'.repeat(33),
      CDP_API_KEY_ID: 'id',
      RPC_URL: 'ftp://rpc.example.com',
    });
    for (const name of [
      'PAY_TO_ADDRESS',
      'ASSET_CONTRACT_ADDRESS',
      'ASSET_NAME',
      'ASSET_VERSION',
      'PAYMENT_NETWORK',
      'BASE_URL',
      'FACILITATOR_URL',
      'SERVICE_NAME',
      'CDP_API_KEY_ID',
      'RPC_URL',
    ]) {
      expect(errors.filter((error) => error.startsWith(name))).toHaveLength(1);
    }
  });

  it.each([
    ['a missing receiver', { PAY_TO_ADDRESS: undefined }, 'PAY_TO_ADDRESS must be an address'],
    ['one wrong digit', { PAY_TO_ADDRESS: `${PAY_TO.slice(0, -1)}D` }, 'checksum'],
    ['the zero address', { PAY_TO_ADDRESS: `0x${'0'.repeat(40)}` }, 'zero address'],
    [
      'the token as receiver',
      { PAY_TO_ADDRESS: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
      'token contract itself',
    ],
    ['an unknown mode', { PAYMENTS_MODE: 'free' }, 'PAYMENTS_MODE'],
    ['credentials in an address', { BASE_URL: 'https://a:b@example.com' }, 'credentials'],
    ['a query in an address', { BASE_URL: 'https://example.com/?a=1' }, 'query'],
    ['a secret that is no key', { CDP_API_KEY_ID: 'i', CDP_API_KEY_SECRET: 'rubbish' }, 'CDP_API_KEY_SECRET'],
    ['a coin of no network', { COIN_PRICES_USD: 'ETH=3000,BTC=90000' }, 'COIN_PRICES_USD'],
    ['a coin without a price', { COIN_PRICES_USD: 'ETH=0' }, 'COIN_PRICES_USD'],
    [
      'two ways to log in',
      { FACILITATOR_TOKEN: 't', CDP_API_KEY_ID: 'i', CDP_API_KEY_SECRET: 's' },
      'exclude',
    ],
  ])('refuses %s', (_, change, message) => {
    expect(errorsOf({ ...REMOTE, ...change }).join('\n')).toContain(message);
  });

  it('costs: not known where none are said, and zero where it is', () => {
    const costsOf = (change: object) => {
      const parsed = parsePaymentConfig({ ...REMOTE, ...change }, '0.0.0.0');
      if (!parsed.ok || parsed.value.mode === 'off') throw new Error('not read');
      const { facilitatorFee, coinPrices } = parsed.value;
      return [facilitatorFee, Object.fromEntries(coinPrices)];
    };
    expect(costsOf({})).toEqual([undefined, {}]);
    expect(costsOf({ FACILITATOR_FEE_USD: '0' })).toEqual([0n, {}]);
    const said = { FACILITATOR_FEE_USD: '0.001', COIN_PRICES_USD: 'ETH=3000, POL=0.4' };
    expect(costsOf(said)).toEqual([1_000n, { ETH: 3_000, POL: 0.4 }]);
  });

  it('allows off and sandbox on loopback only', () => {
    const sandbox = {
      ...REMOTE,
      PAYMENTS_MODE: 'sandbox',
      RPC_URL: 'http://127.0.0.1:8545',
      FACILITATOR_PRIVATE_KEY: `0x${'1'.repeat(64)}`,
      BASE_URL: 'http://127.0.0.1:8402',
    };
    expect(errorsOf(sandbox, '127.0.0.1')).toEqual([]);
    expect(errorsOf(sandbox, '0.0.0.0').join()).toContain('loopback');
    expect(errorsOf({ ...sandbox, RPC_URL: 'https://mainnet.example.com' }, '127.0.0.1').join()).toContain(
      'RPC_URL',
    );
    expect(errorsOf({ ...sandbox, FACILITATOR_PRIVATE_KEY: 'secret' }, '::1').join()).not.toContain('secret');
    const off = { PAYMENTS_MODE: 'off', BASE_URL: 'http://localhost:1' };
    expect(errorsOf(off, '::1')).toEqual([]);
    expect(errorsOf(off, '10.0.0.1').join()).toContain('loopback');
  });

  it('knows loopback addresses', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1', '[::1]', 'localhost'].every(isLoopbackHost)).toBe(true);
    expect(
      ['0.0.0.0', '::', '128.0.0.1', 'localhost.example.com', '127.0.0.1.example.com'].some(isLoopbackHost),
    ).toBe(false);
  });
});

describe('several networks', () => {
  const OTHER = '0x2222222222222222222222222222222222222222';
  const configsOf = (change: object) => {
    const parsed = parsePaymentConfig({ ...REMOTE, ...change }, '0.0.0.0');
    if (!parsed.ok || parsed.value.mode !== 'remote') throw new Error(JSON.stringify(parsed));
    return everyNetwork<ChargingConfig>(parsed.value);
  };
  const networks = 'eip155:137, eip155:8453,eip155:42161';

  it('in the order in which they are set, but for Base', () => {
    const ids = configsOf({ PAYMENT_NETWORK: networks }).map(({ seller }) => seller.network.id);
    expect(ids).toEqual(['eip155:8453', 'eip155:137', 'eip155:42161']);
    expect(configsOf({})).toHaveLength(1);
  });

  it('values without a network: of all, but the node and the token', () => {
    const configs = configsOf({ PAYMENT_NETWORK: networks, RPC_URL: 'https://node.example/a,b' });
    expect(configs.map(({ seller }) => seller.payTo)).toEqual([PAY_TO, PAY_TO, PAY_TO]);
    expect(configs.map(({ rpcUrl }) => rpcUrl)).toEqual(['https://node.example/a,b', undefined, undefined]);
    const assets = configs.map(({ seller }) => seller.asset);
    expect(new Set(assets).size).toBe(3);
  });

  it('values with a network: its own', () => {
    const [first, second, third] = configsOf({
      PAYMENT_NETWORK: networks,
      PAY_TO_ADDRESS: `${PAY_TO},eip155:137=${OTHER}`,
      FACILITATOR_URL: 'https://a.example,https://b.example,eip155:42161=https://c.example',
      RPC_URL: 'eip155:137=https://polygon.example/?key=1',
    });
    expect([first, second, third].map((config) => config?.seller.payTo)).toEqual([PAY_TO, OTHER, PAY_TO]);
    expect([first, second, third].map((config) => config?.rpcUrl)).toEqual([
      undefined,
      'https://polygon.example/?key=1',
      undefined,
    ]);
    const urls = [second, third].map((config) =>
      config?.mode === 'remote' ? config.facilitators.map(({ url }) => url) : [],
    );
    expect(urls).toEqual([['https://a.example', 'https://b.example'], ['https://c.example']]);
  });

  it('channels: on every network with a node, by its own key, or none', () => {
    const key = (digit: string): string => `0x${digit.repeat(64)}`;
    const channelsOf = (keys: string) =>
      configsOf({
        PAYMENT_NETWORK: networks,
        RPC_URL: 'https://base.example,eip155:137=https://polygon.example',
        CHANNEL_AUTHORIZER_KEY: keys,
      }).map(({ channels }) => channels && [channels.authorizerKey, channels.formerKeys?.length]);
    expect(channelsOf(`${key('1')},${key('2')}`)).toEqual([[key('1'), 1], [key('1'), 1], undefined]);
    expect(channelsOf(`${key('1')},eip155:137=${key('3')}`)).toEqual([
      [key('1'), 0],
      [key('3'), 0],
      undefined,
    ]);
    expect(channelsOf(`${key('1')},eip155:137=`)).toEqual([[key('1'), 0], undefined, undefined]);
    expect(channelsOf(`eip155:137=${key('3')}`)).toEqual([undefined, [key('3'), 0], undefined]);
  });

  it('Coinbase’s key: not for others’ facilitators', () => {
    const [, second] = configsOf({
      PAYMENT_NETWORK: 'eip155:8453,eip155:137',
      FACILITATOR_URL: 'https://api.cdp.coinbase.com/x402,eip155:137=https://c.example',
      CDP_API_KEY_ID: 'id',
      // Seed and public key of Ed25519, as Coinbase hands them out.
      CDP_API_KEY_SECRET: Buffer.alloc(64, 7).toString('base64'),
    });
    expect(second).toMatchObject({ facilitators: [{ auth: { kind: 'none' } }] });
  });

  it.each([
    ['an unknown one', { PAYMENT_NETWORK: 'eip155:8453,eip155:1' }, 'PAYMENT_NETWORK must be of'],
    ['one twice', { PAYMENT_NETWORK: 'eip155:137,eip155:137' }, 'twice'],
    ['a value of one that is not offered', { RPC_URL: 'eip155:137=https://a.example' }, 'RPC_URL names'],
    [
      'no node where one is needed',
      { PAYMENTS_MODE: 'self', PAYMENT_NETWORK: networks, FACILITATOR_PRIVATE_KEY: `0x${'17'.repeat(32)}` },
      'RPC_URL is required: an absolute https address',
    ],
    [
      'a key of channels on one without a node',
      { PAYMENT_NETWORK: networks, CHANNEL_AUTHORIZER_KEY: `eip155:137=0x${'17'.repeat(32)}` },
      'channels need RPC_URL, to see them on the chain (eip155:137)',
    ],
    [
      'a wrong receiver of the second',
      { PAYMENT_NETWORK: networks, PAY_TO_ADDRESS: `${PAY_TO},eip155:137=0x1` },
      'PAY_TO_ADDRESS must be an address (0x and 40 hex digits) (eip155:137)',
    ],
  ])('%s: refused', (_, change, message) => {
    expect(errorsOf({ ...REMOTE, ...change }).join('\n')).toContain(message);
  });
});
