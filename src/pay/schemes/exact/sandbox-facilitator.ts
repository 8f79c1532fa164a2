import type { SupportedResponse } from '@x402/core/types';
import type { PrivateKeyAccount as Account } from 'viem';
import type { Facilitator } from '../../facilitator.ts';
import { createFacilitator, type FacilitatorTimeouts } from '../../facilitators/client.ts';
import { EXACT_FORMAT } from './format.ts';

export interface SandboxFacilitatorOptions {
  readonly rpcUrl: string;
  /** Pays the gas. */
  readonly privateKey: `0x${string}`;
  /** CAIP-2. */
  readonly network: `eip155:${number}`;
  readonly times?: FacilitatorTimeouts;
}

type Viem = typeof import('viem');

/**
 * A facilitator in this process, on a chain of this machine: the reference implementation over viem. Both are
 * loaded only here, since they cost some 30 MB of memory.
 */
export async function createSandboxFacilitator(options: SandboxFacilitatorOptions): Promise<Facilitator> {
  const [{ x402Facilitator }, { toFacilitatorEvmSigner }, { ExactEvmScheme }, viem, { privateKeyToAccount }] =
    await Promise.all([
      import('@x402/core/facilitator'),
      import('@x402/evm'),
      import('@x402/evm/exact/facilitator'),
      import('viem'),
      import('viem/accounts'),
    ]);
  const account = privateKeyToAccount(options.privateKey);
  const client = walletOn(viem, account, options);
  const inTurn = oneAtATime();
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
  const facilitator = new x402Facilitator().register(options.network, new ExactEvmScheme(signer));
  const own = {
    verify: facilitator.verify.bind(facilitator),
    settle: facilitator.settle.bind(facilitator),
    getSupported: async () => facilitator.getSupported() as SupportedResponse,
  };
  const kind = { scheme: EXACT_FORMAT.name, network: options.network };
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

/**
 * Transactions are sent one after the other, each numbered by the chain: viem's nonce manager gives one number to two, or
 * leaves one out, where several are begun at once on a fresh account, or one of them fails.
 */
function oneAtATime(): <T>(send: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (send) => {
    const sent = last.then(send);
    last = sent.catch(() => undefined);
    return sent;
  };
}
