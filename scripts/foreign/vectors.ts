import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { type Case, type Row, rowOf } from './row.ts';
import { startSeller } from './sellers.ts';
import { CHEAP, DEAR, Ground, type Payload } from './vector-ground.ts';

/** Undefined where the requirement is kept, else what was seen. */
type Check = (ground: Ground) => Promise<string | undefined>;

const unless = (kept: boolean, seen: unknown): string | undefined => (kept ? undefined : String(seen));
const header = (name: string, ...values: readonly string[]): Check => {
  return (ground) => ground.refuses(...values.map((value) => ({ [name]: value })));
};
/** Payments whose field is something else than what was signed. */
const spoilt =
  (where: 'accepted' | 'authorization', name: string, ...values: readonly unknown[]): Check =>
  async (ground) => {
    const payments = values.map((value) =>
      ground.pay({}, (payment) => {
        const part = where === 'accepted' ? payment.accepted : payment.payload.authorization;
        part[name] = value;
        return payment;
      }),
    );
    return ground.refuses(...(await Promise.all(payments)));
  };
const signed =
  (...all: Parameters<Ground['pay']>): Check =>
  async (ground) =>
    ground.refuses(await ground.pay(...all));
/** Kept where each is. */
const both =
  (...checks: readonly Check[]): Check =>
  async (ground) => {
    for (const check of checks) {
      const seen = await check(ground);
      if (seen !== undefined) return seen;
    }
    return undefined;
  };

const challenge: Check = async (ground) => {
  const { status, headers } = await ground.ask();
  const said = JSON.parse(Buffer.from(headers.get('payment-required') ?? '', 'base64').toString('utf8'));
  const [{ scheme, network, amount, asset, payTo, maxTimeoutSeconds }] = said.accepts;
  const isWhole =
    scheme === 'exact' && network === 'eip155:8453' && /^[1-9]\d*$/.test(amount) && maxTimeoutSeconds > 0;
  const isAddress = [asset, payTo].every((address) => /^0x[0-9a-fA-F]{40}$/.test(address));
  return unless(status === 402 && isWhole && isAddress, JSON.stringify(said.accepts));
};

const same: Check = async (ground) => {
  const all = await Promise.all(Array.from({ length: 20 }, () => ground.ask()));
  const kinds = new Set(all.map(({ status, text }) => `${status} ${text}`));
  return unless(kinds.size === 1 && all[0]?.status === 402, `${kinds.size} different challenges`);
};

/** Answers that say nothing of the machine or of secrets, and set nothing. */
const silent: Check = async (ground) => {
  const bad = await ground.pay({ value: '1' });
  for (const headers of [{}, { 'PAYMENT-SIGNATURE': 'x' }, bad]) {
    const { text, headers: sent } = await ground.ask(headers);
    const all = text + JSON.stringify([...sent]);
    const leak =
      /\/(home|var|opt|usr|work)\/|node_modules|\bat \w+ \(|(postgres|redis|mongodb):\/\/|password/.exec(all);
    if (leak !== null || sent.has('set-cookie')) return `says ${leak?.[0] ?? 'a cookie'}`;
  }
  return undefined;
};

/** One payment, presented as often as one likes, is one sale. */
const once =
  (present: (ground: Ground, payment: Record<string, string>) => Promise<readonly number[]>): Check =>
  async (ground) => {
    const before = await ground.earned();
    const statuses = await present(ground, await ground.pay());
    const sold = statuses.filter((status) => status === 200).length;
    const paid = (await ground.earned()) - before;
    return unless(sold === 1 && paid === 1000n, `${statuses}, ${paid} atomic units`);
  };
const after = (path: string) =>
  once(async (ground, payment) => {
    const first = await ground.ask(payment);
    return [first.status, (await ground.ask(payment, path)).status];
  });
const atOnce = once(async (ground, payment) => {
  const all = await Promise.all(Array.from({ length: 8 }, () => ground.ask(payment)));
  return all.map(({ status }) => status);
});

/** The transaction of the receipt is in a block, and succeeded, when the answer is there. */
const final: Check = async (ground) => {
  const { status, headers, text } = await ground.ask(await ground.pay());
  const receipt = JSON.parse(
    Buffer.from(headers.get('payment-response') ?? '', 'base64').toString('utf8') || '{}',
  );
  const mined = (await ground.chain.rpc('eth_getTransactionReceipt', [receipt.transaction])) as {
    status?: string;
  };
  const cascades = headers.has('payment-required') || text.includes('"accepts"');
  return unless(
    status === 200 && mined?.status === '0x1' && !cascades,
    `${status} ${JSON.stringify(receipt)}`,
  );
};

/** An address in a payment is not called. */
const uncalled: Check = async (ground) => {
  let calls = 0;
  const server = createServer((_, response) => {
    calls++;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const callback = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const shape = (payment: Payload) => ({ ...payment, callbackUrl: callback, extensions: { callback } });
  await ground.ask({ ...(await ground.pay({}, shape)), 'X-Callback-Url': callback });
  server.close();
  return unless(calls === 0, `${calls} calls`);
};

/** A facilitator that cannot be reached: nothing is served, nothing is taken. */
const unreachable: Check = async ({ chain }) => {
  const seller = await startSeller(chain, { PAYMENTS_MODE: 'remote', FACILITATOR_URL: 'http://127.0.0.1:9' });
  const ground = new Ground(seller.url, chain);
  const before = await ground.earned();
  const { status } = await ground.ask(await ground.pay());
  await seller.stop();
  return unless(status === 503 && (await ground.earned()) === before, status);
};

const equalSize: Check = async (ground) => {
  const texts = await Promise.all(
    ['1', '999'].map(async (value) => (await ground.ask(await ground.pay({ value }))).text.length),
  );
  return unless(texts[0] === texts[1], texts);
};

const burst: Check = async (ground) => {
  const statuses = [];
  for (let i = 0; i < 120; i++) statuses.push((await ground.ask({ 'PAYMENT-SIGNATURE': `x${i}` })).status);
  return unless(statuses.includes(429) && !statuses.includes(200), 'never told to wait');
};

const PAST = String(Math.floor(Date.now() / 1000) - 3600);
const JWT = 'eyJhbGciOiJFUzI1NiJ9.eyJwYWlkIjp0cnVlLCJleHAiOjF9.AAAA';
const FOREIGN_TOKEN = '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42';
const wrongAsset = both(
  spoilt('accepted', 'asset', FOREIGN_TOKEN, 'ETH', 'EURC'),
  signed({}, undefined, { verifyingContract: FOREIGN_TOKEN }),
);
const wrongNetwork = both(
  spoilt('accepted', 'network', 'eip155:1', 'base-sepolia', 'solana:x'),
  signed({}, undefined, { chainId: 1 }),
);
const namedFacilitator = both(
  header('X-Payment-Facilitator', 'https://evil.example', '0xdead'),
  header('X-Facilitator-Verified', 'true'),
);
const tokens = both(
  header('Authorization', 'Bearer x', `Bearer ${JWT}`, "Bearer ' OR '1'='1"),
  header('X-Session-Token', JWT),
  header('Cookie', `session=${JWT}`),
);
const expired = signed({ validBefore: PAST });

/**
 * The requirements of the x402 core vectors X4-001 to X4-055, in our words, each with the check that judges it.
 * Vectors with the same requirement share one. X4-028 to X4-030 do not exist.
 */
const REQUIREMENTS: readonly (readonly [ids: string, requirement: string, check: Check])[] = [
  ['001', 'the challenge is whole', challenge],
  [
    '002 039',
    'what is no payment is refused',
    both(
      header('PAYMENT-SIGNATURE', 'garbage', 'AAAA', 'A'.repeat(6000), 'eyJ4NDAyVmVyc2lvbiI6Mn0='),
      spoilt('authorization', 'nonce', "' OR 1=1", '<script>', { $ne: null }),
    ),
  ],
  ['003 020 032', 'another token is refused, by its contract and not by its name', wrongAsset],
  ['004 011 054', 'every challenge is the same: receiver, price, nothing that tells requests apart', same],
  ['005', 'a payment to somebody else is refused', signed({ to: `0x${'de'.repeat(20)}` })],
  [
    '006',
    'a receiver that is no address is refused',
    spoilt('authorization', 'to', '0x0', 'zz', `0x${'0'.repeat(40)}`),
  ],
  ['008 009', 'no token stands for a payment', tokens],
  ['007 010 017 018 042', 'answers tell nothing of the machine, and set no session', silent],
  ['012', 'less than the price is refused', both(signed({ value: '999' }), signed({ value: '1' }))],
  ['014 015 037', 'a facilitator that the buyer names counts for nothing', namedFacilitator],
  ['016', 'without a facilitator nothing is sold', unreachable],
  ['019 040', 'another network is refused, by what was signed too', wrongNetwork],
  [
    '026',
    'an amount is a whole number of atomic units',
    spoilt('authorization', 'value', '1000.0', '1e3', 1000.5),
  ],
  ['027 033 047', 'a payment that has expired is refused', expired],
  ['031', 'no header sends a payment elsewhere', header('X-Payment-Redirect', 'https://evil.example')],
  [
    '034 035',
    'nothing and less than nothing are refused',
    spoilt('authorization', 'value', '0', '-1', '-1000'),
  ],
  ['036', 'more than fits into 256 bits is refused', spoilt('authorization', 'value', String(2n ** 256n))],
  ['038 045 046', 'a payment that was used buys nothing', after(CHEAP)],
  ['041', 'nobody is called at the word of a payment', uncalled],
  ['043', 'one payment presented eight times at once is one sale', atOnce],
  [
    '044',
    'a payment that was used for one route buys nothing on another',
    after('/v1/perp/carry?ticker=BTC'),
  ],
  [
    '048',
    'a payment buys no more than it pays for',
    async (ground) => unless((await ground.ask(await ground.pay(), DEAR)).status === 402, 'sold'),
  ],
  ['049 050 055', 'an answer comes when its transaction is final, and asks for no further payment', final],
  [
    '051 052',
    'payments of other protocols are refused',
    header('Authorization', 'L402 AAAA:00', 'LSAT AAAA:00'),
  ],
  ['053', 'refusals do not tell amounts apart by their size', equalSize],
  ['013', 'a burst of bad payments is told to wait', burst],
];

/** Every requirement on a seller, on the whole HTTP surface with real payments. */
export async function vectors(say: (done: string) => void): Promise<readonly Row[]> {
  const chain = await startSandboxChain();
  const key = chain.facilitator.privateKey;
  const seller = await startSeller(chain, { PAYMENTS_MODE: 'self', FACILITATOR_PRIVATE_KEY: key });
  try {
    const ground = new Ground(seller.url, chain);
    const cases: Case[] = [];
    for (const [ids, requirement, check] of REQUIREMENTS) {
      say(`X4-${ids}: ${requirement}`);
      const fault = await check(ground).catch((cause: unknown) => String(cause));
      for (const id of ids.split(' ')) cases.push({ name: `X4-${id}, ${requirement}`, fault });
    }
    return [
      rowOf('x402 core vectors', 'PR 2776', cases, [
        '5 do not apply (X4-021 to 025): attestations of operators (OATR) are no part of x402',
      ]),
    ];
  } finally {
    await seller.stop();
    await chain.stop();
  }
}
