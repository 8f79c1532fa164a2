import { randomBytes } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRecord } from '../../src/modules/watch/desk.ts';
import { OpenProofs } from '../../src/modules/watch-wallet/open-proofs.ts';
import { VALID_MS, walletMessage } from '../../src/modules/watch-wallet/wallet-message.ts';
import { loadCheckSigner } from '../../src/pay/recover.ts';
import { DAY_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { BASE_URL, createExampleApi, type ExampleApi } from '../api/example-api.ts';
import { examplePorts } from '../api/example-ports.ts';
import { atOnce } from '../at-once.ts';
import { conditionFrom, marketRig, watchRig } from './watch-rig.ts';

const OWNER = privateKeyToAccount(`0x${'42'.repeat(32)}`);
const OTHER = privateKeyToAccount(`0x${'43'.repeat(32)}`);
const market = marketRig();
market.list('binance', ['BTC']);
const rig = watchRig(market);
let example: ExampleApi;
let base: string;
let id: string;

beforeAll(async () => {
  const proofs = new OpenProofs(await loadCheckSigner());
  example = createExampleApi({ clock: market.clock, readPort: examplePorts({ watches: rig.desk, proofs }) });
  base = await example.start();
  rig.turn();
  id = hold(OWNER.address.toLowerCase());
});
afterAll(async () => {
  await example.api.close();
  await rig.close();
});

/** A watch that an address has paid for. */
function hold(payer: string): string {
  const condition = conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.001 });
  const offered = atOnce(rig.desk.offer(condition, 1));
  void rig.desk.register(newRecord(offered, condition, payer, [`sale of ${offered.id}`]));
  return offered.id;
}

interface Said {
  readonly account?: typeof OWNER;
  /** The address that is named; default the signer's own. */
  readonly wallet?: string;
  readonly baseUrl?: string;
  readonly issuedAt?: number;
}

/** A proof as a wallet makes it. */
async function proof({ account = OWNER, wallet = account.address, baseUrl = BASE_URL, issuedAt }: Said = {}) {
  const facts = {
    wallet,
    chainId: 8453,
    issuedAt: new Date(issuedAt ?? market.now()).toISOString(),
    nonce: randomBytes(8).toString('hex'),
  };
  const signature = await account.signMessage({ message: walletMessage(baseUrl, facts) });
  return `wallet ${wallet} ${facts.chainId} ${facts.issuedAt} ${facts.nonce} ${signature}`;
}

interface Listed {
  readonly total?: number;
  readonly reads_until?: string;
  readonly watches?: readonly { readonly id: string; readonly token: string }[];
  readonly next?: string | null;
  readonly code?: string;
  readonly detail?: string;
}

async function ask(secret: string | undefined, path = '/v1/watches') {
  const headers: Record<string, string> = secret === undefined ? {} : { 'perpmeter-secret': secret };
  const response = await fetch(base + path, { headers });
  return { status: response.status, body: (await response.json()) as Listed };
}

const expectRefused = async (secret: string | undefined, detail: string): Promise<void> => {
  const { status, body } = await ask(secret);
  expect([status, body.detail]).toEqual([400, expect.stringContaining(detail)]);
  expect(body.watches).toBeUndefined();
};

describe('watches that a wallet has paid for', () => {
  it('its signature: its own watches alone, each with a token that reads it', async () => {
    hold(OTHER.address.toLowerCase());
    market.pass(10_000);
    const { status, body } = await ask(await proof());
    expect([status, body.total]).toEqual([200, 1]);
    const [watch] = body.watches ?? [];
    expect(watch?.id).toBe(id);
    expect((await ask(watch?.token, `/v1/watches/${id}`)).status).toBe(200);
    expect(body.reads_until).toBe(new Date(market.now() + DAY_MS).toISOString());
  });

  it('more than a page: the rest behind next, by another signature', async () => {
    const account = privateKeyToAccount(`0x${'44'.repeat(32)}`);
    const held = Array.from({ length: 501 }, () => hold(account.address.toLowerCase()));
    market.pass(10_000);
    const first = await ask(await proof({ account }));
    expect([first.body.total, first.body.watches?.length]).toEqual([501, 500]);
    const { next } = first.body;
    const rest = await ask(await proof({ account }), `/v1/watches?after=${next}`);
    expect([rest.body.total, rest.body.watches?.length, rest.body.next]).toEqual([501, 1, null]);
    const listed = [...(first.body.watches ?? []), ...(rest.body.watches ?? [])].map((watch) => watch.id);
    expect(listed.toSorted()).toEqual(held.toSorted());
    // An id of another wallet is none of this list.
    const others = await ask(await proof({ account }), `/v1/watches?after=${id}`);
    expect([others.status, others.body.detail]).toEqual([400, expect.stringContaining('begin again')]);
  });

  it('a receiver: its host alone is in the list, and read by a token', async () => {
    const condition = conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.001 });
    const offered = atOnce(rig.desk.offer(condition, 1));
    const kept = { ...condition, webhook: 'https://hooks.example.com/services/T0/B0/XX' };
    const payer = OTHER.address.toLowerCase();
    void rig.desk.register(newRecord(offered, kept, payer, [`sale of ${offered.id}`]));
    market.pass(10_000);
    rig.turn();
    const { body } = await ask(await proof({ account: OTHER }));
    const listed = body.watches?.find((watch) => watch.id === offered.id);
    const byToken = await ask(listed?.token, `/v1/watches/${offered.id}`);
    const byOwner = await ask(offered.secret, `/v1/watches/${offered.id}`);
    for (const shown of [body, byToken.body]) {
      expect(JSON.stringify(shown)).toContain('hooks.example.com');
      expect(JSON.stringify(shown)).not.toContain('/services/');
    }
    expect(JSON.stringify(byOwner.body)).toContain('/services/T0/B0/XX');
  });

  it('a token: of one watch, until its time, and of no other text', async () => {
    const other = hold(OWNER.address.toLowerCase());
    const token = (await ask(await proof())).body.watches?.find((watch) => watch.id === id)?.token ?? '';
    expect((await ask(token, `/v1/watches/${other}`)).status).toBe(404);
    const later = token.replace(/\d{13}/, (until) => String(Number(until) + 1));
    for (const wrong of [
      later,
      `${token}A`,
      token.slice(0, -1),
      'read',
      'read.',
      'read.NaN.x',
      'read.9e99.x',
    ])
      expect((await ask(wrong, `/v1/watches/${id}`)).status).toBe(404);
    const until = Number(token.split('.')[1]);
    expect(rig.desk.read(id, token).ok).toBe(true);
    market.pass(until - market.now());
    expect(rig.desk.read(id, token).ok).toBe(false);
  });

  it('without a proof, or in another form: a 400 that says the form', async () => {
    await expectRefused(undefined, 'wallet <address> <chain id>');
    const whole = await proof();
    const parts = whole.split(' ');
    const withPart = (at: number, text: string): string => parts.with(at, text).join(' ');
    await expectRefused('w', 'must be wallet');
    await expectRefused(`${whole} more`, 'must be wallet');
    await expectRefused(withPart(0, 'siwe'), 'must be wallet');
    await expectRefused(withPart(1, '0x12'), 'the address');
    for (const chain of ['0', '-1', '1e3', '0x1', '9'.repeat(16)])
      await expectRefused(withPart(2, chain), 'chain id');
    for (const time of [
      'now',
      '2026-11-29',
      '2026-13-29T12:00:00.000Z',
      '2026-02-30T12:00:00.000Z',
      '1764417600000',
    ])
      await expectRefused(withPart(3, time), 'the time');
    for (const nonce of ['short', 'with-dash-in', 'x'.repeat(65)])
      await expectRefused(withPart(4, nonce), 'nonce');
    for (const signature of ['0x', parts[5]?.slice(0, -2) ?? '', `${parts[5]}00`, 'zz'])
      await expectRefused(withPart(5, signature), 'the signature');
  });

  it('issued too long ago, or ahead of the clock: refused', async () => {
    await expectRefused(await proof({ issuedAt: market.now() - VALID_MS }), 'expired');
    await expectRefused(await proof({ issuedAt: market.now() + MINUTE_MS + 1 }), 'future');
    expect((await ask(await proof({ issuedAt: market.now() - VALID_MS + 1 }))).status).toBe(200);
    expect((await ask(await proof({ issuedAt: market.now() + MINUTE_MS }))).status).toBe(200);
  });

  it('a message for another service, or another scheme of it: refused', async () => {
    for (const baseUrl of [
      'https://evil.test',
      'http://data.perpmeter.test',
      'https://data.perpmeter.test:8443',
    ])
      await expectRefused(await proof({ baseUrl }), 'not this wallet');
  });

  it('another wallet’s name, or another’s signature: refused', async () => {
    await expectRefused(await proof({ account: OTHER, wallet: OWNER.address }), 'not this wallet');
    const own = (await proof()).split(' ');
    for (const [at, text] of [
      [2, '1'],
      [3, new Date(market.now() + 1).toISOString()],
      [4, 'anothernonce1'],
    ] as const)
      await expectRefused(own.with(at, text).join(' '), 'not this wallet');
  });

  it('the twin of a signature, which anybody can make: refused', async () => {
    const parts = (await proof()).split(' ');
    const bytes = Buffer.from((parts[5] ?? '').slice(2), 'hex');
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const s = order - BigInt(`0x${bytes.toString('hex', 32, 64)}`);
    const v = bytes[64] === 27 ? '1c' : '1b';
    const twin = `0x${bytes.toString('hex', 0, 32)}${s.toString(16).padStart(64, '0')}${v}`;
    await expectRefused(parts.with(5, twin).join(' '), 'not this wallet');
  });

  it('a proof that was overheard: good once, in any spelling', async () => {
    const one = await proof();
    expect((await ask(one)).status).toBe(200);
    await expectRefused(one, 'used before');
    const parts = one.split(' ');
    const upper = `0x${(parts[5] ?? '').slice(2).toUpperCase()}`;
    await expectRefused(parts.with(5, upper).join(' '), 'used before');
    await expectRefused(parts.with(1, (parts[1] ?? '').toLowerCase()).join(' '), 'used before');
    const fromZero = `${(parts[5] ?? '').slice(0, -2)}${(parts[5] ?? '').endsWith('1b') ? '00' : '01'}`;
    await expectRefused(parts.with(5, fromZero).join(' '), 'used before');
    const otherHalf = `${(parts[5] ?? '').slice(0, -2)}${(parts[5] ?? '').endsWith('1b') ? '1c' : '1b'}`;
    expect((await ask(parts.with(5, otherHalf).join(' '))).status).toBe(400);
  });
});
