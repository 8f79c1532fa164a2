import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { isWire, readText, type Wire, wireArray } from '../domain/read.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import { type DemoFile, readDemoFile } from './demo-file.ts';

export interface BuyOptions {
  readonly url?: string;
  readonly key?: string;
  readonly maxUsd: string;
  /** File that the body is written to, byte for byte; standard output without it. */
  readonly out?: string;
}

/** What a challenge asks for, read and checked for form. */
export interface Requirement {
  readonly amount: bigint;
  readonly asset: `0x${string}`;
  readonly payTo: `0x${string}`;
  readonly maxTimeoutSeconds: number;
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly accepted: Wire;
  readonly resource: Wire | undefined;
}

const LINE_END = Buffer.from('\n');
const KEY = /^0x[0-9a-fA-F]{64}$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export class BuyError extends Error {}

/** `0.10` USD in the token's atomic units (six decimals), by text, never by float. */
export function usdToAtomic(text: string): bigint {
  const parts = text.match(/^(\d+)(?:\.(\d{1,6}))?$/);
  if (parts === null)
    throw new BuyError(`--max-usd must be a decimal with at most six places, not "${text}"`);
  return BigInt(parts[1] ?? '0') * 1_000_000n + BigInt((parts[2] ?? '').padEnd(6, '0'));
}

function decodeChallenge(header: string | null): Wire {
  if (header === null) throw new BuyError('the 402 carries no payment-required header');
  try {
    const challenge: unknown = JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
    if (isWire(challenge)) return challenge;
  } catch {
    // Said below.
  }
  throw new BuyError('the payment-required header cannot be read');
}

function address(value: unknown, what: string): `0x${string}` {
  if (typeof value !== 'string' || !ADDRESS.test(value))
    throw new BuyError(`the challenge has no valid ${what}`);
  return value as `0x${string}`;
}

/** The first requirement of a challenge's header that can be paid here: scheme exact on an EVM network. */
export function readRequirement(header: string | null): Requirement {
  const challenge = decodeChallenge(header);
  const accepts = wireArray(challenge.accepts) ?? [];
  const entry = accepts
    .filter(isWire)
    .find((a) => a.scheme === 'exact' && /^eip155:\d+$/.test(`${a.network}`));
  if (entry === undefined) throw new BuyError('the challenge offers no exact payment on an EVM network');
  const extra = isWire(entry.extra) ? entry.extra : {};
  const amount = readText(entry.amount);
  const [name, version] = [readText(extra.name), readText(extra.version)];
  if (amount === undefined || !/^\d+$/.test(amount) || name === undefined || version === undefined) {
    throw new BuyError('the challenge lacks amount, extra.name or extra.version');
  }
  return {
    amount: BigInt(amount),
    asset: address(entry.asset, 'asset'),
    payTo: address(entry.payTo, 'payTo'),
    maxTimeoutSeconds: Number(entry.maxTimeoutSeconds) || 60,
    name,
    version,
    chainId: Number(`${entry.network}`.slice('eip155:'.length)),
    accepted: entry,
    resource: isWire(challenge.resource) ? challenge.resource : undefined,
  };
}

/** Signs a requirement; the payment as the header PAYMENT-SIGNATURE carries it. */
export async function signedPayment(requirement: Requirement, key: `0x${string}`): Promise<string> {
  const { privateKeyToAccount } = await import('viem/accounts');
  const account = privateKeyToAccount(key);
  const now = Math.floor(Date.now() / 1000);
  const authorization = {
    from: account.address,
    to: requirement.payTo,
    value: requirement.amount,
    validAfter: 0n,
    validBefore: BigInt(now + requirement.maxTimeoutSeconds),
    nonce: `0x${randomBytes(32).toString('hex')}` as `0x${string}`,
  };
  const signature = await account.signTypedData({
    domain: {
      name: requirement.name,
      version: requirement.version,
      chainId: requirement.chainId,
      verifyingContract: requirement.asset,
    },
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  });
  const text = Object.fromEntries(Object.entries(authorization).map(([k, v]) => [k, String(v)]));
  const { resource, accepted } = requirement;
  const payment = {
    x402Version: 2,
    ...(resource !== undefined && { resource }),
    accepted,
    payload: { signature, authorization: text },
  };
  return Buffer.from(JSON.stringify(payment)).toString('base64');
}

type Given = Pick<BuyOptions, 'url' | 'key'>;

/** Address of the service to buy from: what is given, else the running demo's. */
export function serviceAddress({ url }: Given, demo = readDemoFile()): string {
  const base = url ?? process.env.PERPMETER_URL ?? demo?.base_url;
  if (base === undefined) throw new BuyError('no service: start `npm run demo`, or give --url');
  return base;
}

/** The key that may sign for this service. */
export const keyFor = async (base: string, options: Given): Promise<`0x${string}`> =>
  chooseKey(await isSandbox(base), options, readDemoFile());

/**
 * Authorizations for a sandbox would be valid on the real chain (same chain id, same token), so a sandbox gets
 * the demo's key only, and the demo's key goes nowhere else.
 */
function chooseKey(sandbox: boolean, options: Given, demo: DemoFile | undefined): `0x${string}` {
  const given = options.key ?? process.env.PERPMETER_BUYER_KEY;
  if (sandbox) {
    if (demo === undefined)
      throw new BuyError('this is a sandbox service, and no var/demo.json holds its buyer key');
    if (given !== undefined && given !== demo.buyer_private_key) {
      throw new BuyError(
        'this is a sandbox service: its payments would be valid on the real chain, so only the key of var/demo.json signs for it',
      );
    }
    return demo.buyer_private_key as `0x${string}`;
  }
  if (given === undefined) throw new BuyError('no key: give --key or set PERPMETER_BUYER_KEY');
  if (!KEY.test(given)) throw new BuyError('the key must be 0x and 64 hex digits');
  if (given === demo?.buyer_private_key) throw new BuyError("the demo's key signs for the demo only");
  return given as `0x${string}`;
}

async function isSandbox(base: string): Promise<boolean> {
  const response = await fetch(new URL('/v1/health', base));
  const health: unknown = await response.json();
  const payments = isWire(health) ? health.payments : undefined;
  if (!isWire(payments)) throw new BuyError('the service does not say its payment mode at /v1/health');
  return payments.mode === 'sandbox';
}

/** The body as it came: text gets the line end that a terminal wants, a file or a binary body is left as it is. */
async function writeBody(response: Response, { out }: BuyOptions): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  if (out !== undefined && response.ok) {
    await writeFile(out, body);
    return;
  }
  const isText = /^(?:text\/|application\/(?:[\w.-]+\+)?json)/.test(
    response.headers.get('content-type') ?? '',
  );
  await new Promise<void>((written) => {
    process.stdout.write(isText ? Buffer.concat([body, LINE_END]) : body, () => written());
  });
}

async function purchase(path: string, options: BuyOptions): Promise<number> {
  const base = serviceAddress(options);
  const cap = usdToAtomic(options.maxUsd);
  const url = new URL(path, base);
  const first = await fetch(url);
  if (first.status !== 402) {
    await writeBody(first, options);
    process.stderr.write(`buy: ${first.status} without payment\n`);
    return first.ok ? 0 : 1;
  }
  await first.arrayBuffer();
  const requirement = readRequirement(first.headers.get('payment-required'));
  if (requirement.amount > cap) {
    throw new BuyError(
      `the price is ${requirement.amount} atomic units, above the cap of ${cap} (--max-usd)`,
    );
  }
  const header = await signedPayment(requirement, await keyFor(base, options));
  const paid = await fetch(url, { headers: { 'PAYMENT-SIGNATURE': header } });
  await writeBody(paid, options);
  const receipt = paid.headers.get('payment-response');
  const said = receipt === null ? 'no receipt' : Buffer.from(receipt, 'base64').toString('utf8');
  process.stderr.write(`buy: ${paid.status}, ${said}\n`);
  return paid.ok ? 0 : 1;
}

/**
 * Buys one answer: body on stdout or in a file, receipt on stderr; never pays above the cap.
 * @returns exit code: 0 served, 1 refused or failed
 */
export async function buyCommand(path: string, options: BuyOptions): Promise<number> {
  try {
    return await purchase(path, options);
  } catch (error) {
    const reason = reasonOf(error);
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
    process.stderr.write(`buy: ${reason}${cause}\n`);
    return 1;
  }
}
