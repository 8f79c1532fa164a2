import { hashTypedData, serializeSignature } from 'viem';
import { generatePrivateKey, privateKeyToAddress, toAccount } from 'viem/accounts';
import { addressWord, selectorOf } from '../../src/pay/abi.ts';
import { quantityText } from '../../src/pay/rpc.ts';
import type { SandboxChain } from '../../src/pay/sandbox/chain.ts';
import { loadSign } from '../../src/pay/sign.ts';
import type { Signer } from '../pay/wallet.ts';

/** Never run out: what is soaked is not the buyer's wallet. */
const FUNDS = 10n ** 13n;
/** Many, since worthless payments of one payer are limited. */
const WALLETS = 48;

/** Funded buyers; viem hashes what they sign, the native curve signs it. */
export async function openWallets(chain: SandboxChain): Promise<readonly Signer[]> {
  const wallets = await Promise.all(Array.from({ length: WALLETS }, () => walletOf(generatePrivateKey())));
  await fund(
    chain,
    wallets.map(({ address }) => address),
  );
  return wallets;
}

/** All in a block or two. */
async function fund({ rpc, token, balanceOf }: SandboxChain, owners: readonly string[]): Promise<void> {
  const from = `0x${'4d'.repeat(20)}`;
  await rpc('anvil_setBalance', [from, quantityText(10n ** 24n)]);
  await rpc('anvil_impersonateAccount', [from]);
  const amount = FUNDS.toString(16).padStart(64, '0');
  for (const owner of owners) {
    const data = selectorOf('mint(address,uint256)') + addressWord(owner) + amount;
    await rpc('eth_sendTransaction', [{ from, to: token, data, gas: '0x30d40' }]);
  }
  const isFunded = async (owner: string): Promise<boolean> => (await balanceOf(owner)) === FUNDS;
  for (const owner of owners) {
    while (!(await isFunded(owner))) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function walletOf(privateKey: `0x${string}`): Promise<Signer> {
  const sign = await loadSign(privateKey);
  const refuse = (): never => {
    throw new Error('these buyers only sign typed data');
  };
  return toAccount({
    address: privateKeyToAddress(privateKey),
    signMessage: refuse,
    signTransaction: refuse,
    async signTypedData(data) {
      return serializeSignature(await sign(Buffer.from(hashTypedData(data).slice(2), 'hex')));
    },
  });
}
