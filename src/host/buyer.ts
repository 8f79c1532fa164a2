import { createClient, type Signer, type WalletOptions } from '../../packages/client/src/index.ts';
import { isWire } from '../domain/read.ts';
import { NETWORKS, type PaymentNetwork } from '../pay/networks.ts';
import { type DemoFile, readDemoFile } from './process/demo-file.ts';

const KEY = /^0x[0-9a-fA-F]{64}$/;

export class BuyError extends Error {}

/** The service to buy from, and the key that pays. */
export interface Given {
  readonly url?: string;
  readonly key?: string;
  /** CAIP-2 name of the one network on which is paid. */
  readonly network?: string;
}

export const NETWORK_OPTION =
  'pay on this network alone, by CAIP-2 name; default the first that the service offers';

/** Address of the service to buy from: what is given, else PERPMETER_URL, else the running demo's. */
export function serviceAddress({ url }: Given, demo = readDemoFile()): string {
  const base = url ?? process.env.PERPMETER_URL ?? demo?.base_url;
  if (base === undefined) {
    throw new BuyError('no service: give --url or PERPMETER_URL, or start `perpmeter demo` in this folder');
  }
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

/** The networks on which may be paid. Throws where the one that is named is not known. */
function networksOf({ network }: Given): readonly PaymentNetwork[] {
  const known = Object.values(NETWORKS);
  const chosen = known.filter(({ id }) => network === undefined || id === network);
  if (chosen.length === 0)
    throw new BuyError(`--network is one of ${known.map(({ id }) => id).join(', ')}, not ${network}`);
  return chosen;
}

/** A client that buys from a service with the key given, in the tokens that services take. Throws BuyError for a network that is not known. */
export function buyerAt(base: string, options: Given, wallet: Omit<WalletOptions, 'signer' | 'allow'>) {
  const tokens = networksOf(options);
  const allow = { networks: tokens.map(({ id }) => id), assets: tokens.map(({ asset }) => asset) };
  return createClient({ baseUrl: base, wallet: { ...wallet, signer: signerFor(base, options), allow } });
}

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
