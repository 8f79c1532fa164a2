import { writeFile } from 'node:fs/promises';
import {
  createClient,
  type Reply,
  type Signer,
  type WalletOptions,
} from '../../packages/client/src/index.ts';
import { isWire } from '../domain/read.ts';
import { NETWORKS } from '../pay/networks.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import { type DemoFile, readDemoFile } from './demo-file.ts';

export interface BuyOptions {
  readonly url?: string;
  readonly key?: string;
  readonly maxUsd: string;
  /** File that the body is written to, byte for byte; standard output without it. */
  readonly out?: string;
  /** File that the receipt of the answer is written to, with what verifies it. */
  readonly receipt?: string;
}

const LINE_END = Buffer.from('\n');
const KEY = /^0x[0-9a-fA-F]{64}$/;

export class BuyError extends Error {}

type Given = Pick<BuyOptions, 'url' | 'key'>;

/** Address of the service to buy from: what is given, else the running demo's. */
export function serviceAddress({ url }: Given, demo = readDemoFile()): string {
  const base = url ?? process.env.PERPMETER_URL ?? demo?.base_url;
  if (base === undefined) throw new BuyError('no service: start `npm run demo`, or give --url');
  return base;
}

/** Signs with the key that may sign for this service, which is looked for when it is needed. */
function signerFor(base: string, options: Given): Signer {
  const load = async (): Promise<Signer> => {
    const { keySigner } = await import('../../packages/client/src/key-signer.ts');
    return keySigner(chooseKey(await isSandbox(base), options, readDemoFile()));
  };
  let signer: Promise<Signer> | undefined;
  const loaded = (): Promise<Signer> => {
    signer ??= load().catch((cause) => {
      signer = undefined;
      throw cause;
    });
    return signer;
  };
  return {
    address: async () => String((await loaded()).address),
    signTypedData: async (data) => (await loaded()).signTypedData(data),
  };
}

const TOKENS = Object.values(NETWORKS);

/** A client that buys from a service with the key given, in the tokens that services take. */
export const buyerAt = (base: string, options: Given, wallet: Omit<WalletOptions, 'signer' | 'allow'>) =>
  createClient({
    baseUrl: base,
    wallet: {
      ...wallet,
      signer: signerFor(base, options),
      allow: { networks: TOKENS.map(({ id }) => id), assets: TOKENS.map(({ asset }) => asset) },
    },
  });

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
async function writeBody({ body, headers }: Reply, out: string | undefined): Promise<void> {
  if (out !== undefined) {
    await writeFile(out, body);
    return;
  }
  const isText = /^(?:text\/|application\/(?:[\w.-]+\+)?json)/.test(headers.get('content-type') ?? '');
  await new Promise<void>((written) => {
    process.stdout.write(isText ? Buffer.concat([body, LINE_END]) : body, () => written());
  });
}

/** The receipt of the answer, the keys that are published now, and the text that a receipt may have as its hash alone. */
async function writeReceipt({ headers }: Reply, base: string, path: string): Promise<void> {
  const receipt = headers.get('perpmeter-receipt');
  if (receipt === null) return;
  const sources = headers.get('x-data-sources');
  const keys: unknown = await (await fetch(new URL('/.well-known/did.json', base))).json();
  const file = { receipt, ...(sources !== null && { sources }), keys };
  await writeFile(path, `${JSON.stringify(file, null, 2)}\n`);
}

async function purchase(path: string, options: BuyOptions): Promise<number> {
  const { maxUsd, out } = options;
  const base = serviceAddress(options);
  const client = buyerAt(base, options, { caps: { perCall: maxUsd, total: maxUsd } });
  const result = await client.request(path);
  if (!result.ok) {
    const { code, detail, reply } = result.problem;
    if (reply !== undefined) await writeBody(reply, undefined);
    process.stderr.write(`buy: ${code}: ${detail}\n`);
    return 1;
  }
  const { reply, receipt } = result;
  await writeBody(reply, out);
  if (options.receipt !== undefined) await writeReceipt(reply, base, options.receipt);
  const said = receipt === undefined ? 'without payment' : JSON.stringify(receipt);
  process.stderr.write(`buy: ${reply.status}, ${said}\n`);
  return 0;
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
