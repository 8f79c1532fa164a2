// The counter at which each generated client buys: a wallet that pays, and the bodies as they came. Arguments of each client:
// the address of the service, and the buyer's key.
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';

export const [baseUrl = '', key = ''] = process.argv.slice(2);
const wallet = new x402Client().register(
  'eip155:8453',
  new ExactEvmScheme(privateKeyToAccount(key as `0x${string}`)),
);

let came = '';
/** A fetch that keeps the text of the last body. */
const keeping =
  (ask: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await ask(input, init);
    came = await response.clone().text();
    return response;
  };
export const unpaid = keeping(fetch);
export const paying = keeping(wrapFetchWithPayment(fetch, wallet));

/** Says one case: the statements hold, and the client handed over what came. */
export function say(name: string, handed: unknown, ...holds: readonly boolean[]): void {
  const isAsCame = JSON.stringify(handed) === JSON.stringify(JSON.parse(came || 'null'));
  const fault = isAsCame && holds.every(Boolean) ? undefined : `${holds}: ${came.slice(0, 200)}`;
  console.log(JSON.stringify({ name, fault }));
}
