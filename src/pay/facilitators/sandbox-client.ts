import type { x402Facilitator } from '@x402/core/facilitator';
import type { SupportedResponse } from '@x402/core/types';
import type { toFacilitatorEvmSigner } from '@x402/evm';
import type { PrivateKeyAccount as Account } from 'viem';
import { type InTurn, oneAtATime } from '../../runtime/one-at-a-time.ts';
import type { Facilitator } from '../facilitator.ts';
import { createFacilitator, type FacilitatorTimeouts } from './client.ts';

export interface SandboxFacilitatorOptions {
  readonly rpcUrl: string;
  /** Pays the gas. */
  readonly privateKey: `0x${string}`;
  /** CAIP-2. */
  readonly network: `eip155:${number}`;
  readonly times?: FacilitatorTimeouts;
}

type Viem = typeof import('viem');
/** The account of a facilitator, as the reference implementation of its schemes takes it. */
export type SandboxSigner = ReturnType<typeof toFacilitatorEvmSigner>;
type SchemeOfPackage = Parameters<InstanceType<typeof x402Facilitator>['register']>[1];

/**
 * A facilitator of one scheme in this process, on a chain of this machine: the reference implementation over viem. Both are
 * loaded only here, since they cost some 30 MB of memory.
 */
export async function sandboxFacilitator(
  name: string,
  options: SandboxFacilitatorOptions,
  schemeOf: (signer: SandboxSigner) => SchemeOfPackage,
): Promise<Facilitator> {
  const [{ x402Facilitator }, { toFacilitatorEvmSigner }, viem, { privateKeyToAccount }] = await Promise.all([
    import('@x402/core/facilitator'),
    import('@x402/evm'),
    import('viem'),
    import('viem/accounts'),
  ]);
  const account = privateKeyToAccount(options.privateKey);
  const client = walletOn(viem, account, options);
  const inTurn = turnOf(`${options.rpcUrl} ${account.address}`);
  const signer = toFacilitatorEvmSigner(
    {
      address: account.address,
      readContract: (args) => client.readContract({ ...args, args: args.args ?? [] }),
      verifyTypedData: (args) => client.verifyTypedData(args as Parameters<typeof client.verifyTypedData>[0]),
      writeContract: (args) => inTurn(() => client.writeContract({ ...args, account, chain: client.chain })),
      sendTransaction: (args) =>
        inTurn(() => client.sendTransaction({ ...args, account, chain: client.chain })),
      waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
      getCode: (args) => client.getCode(args),
    },
    { confirmationTimeoutMs: 15_000 },
  );
  const facilitator = new x402Facilitator().register(options.network, schemeOf(signer));
  const own = {
    verify: facilitator.verify.bind(facilitator),
    settle: facilitator.settle.bind(facilitator),
    getSupported: async () => facilitator.getSupported() as SupportedResponse,
  };
  const kind = { scheme: name, network: options.network };
  return createFacilitator({ name: 'sandbox', verify: own, settle: own }, kind, options.times);
}

/** Reads and writes on the chain, as the account. */
function walletOn(viem: Viem, account: Account, { network, rpcUrl }: SandboxFacilitatorOptions) {
  return viem
    .createWalletClient({
      account,
      chain: viem.defineChain({
        id: Number(network.slice('eip155:'.length)),
        name: 'sandbox',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        rpcUrls: { default: { http: [rpcUrl] } },
      }),
      transport: viem.http(rpcUrl, { retryCount: 0 }),
      pollingInterval: 50,
    })
    .extend(viem.publicActions);
}

const turns = new Map<string, InTurn>();

/**
 * The turn of an account on a chain, which the facilitators of all schemes share. Each transaction is numbered by the chain:
 * viem's nonce manager gives one number to two, or leaves one out, where several are begun at once on a fresh account, or one
 * of them fails.
 */
function turnOf(account: string): InTurn {
  const known = turns.get(account) ?? oneAtATime();
  turns.set(account, known);
  return known;
}
