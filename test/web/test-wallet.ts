import type { Page } from 'playwright-core';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';

interface Call {
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** A wallet's error (EIP-1193). */
interface Refusal {
  readonly code: number;
  readonly message: string;
}

/** Base, in hex. */
export const BASE_CHAIN = '0x2105';

/** A wallet of a browser: a provider by EIP-1193 over a key, which signs what it is asked to unless its owner refuses. */
export class TestWallet {
  readonly address: string;
  /** Methods in the order in which the page asked. */
  readonly asked: string[] = [];
  /** Typed data that were signed, as the page gave them. */
  readonly signed: string[] = [];
  /** The chain that it is on. */
  chain = BASE_CHAIN;
  /** Its owner's refusals, by method. */
  readonly refusals: Readonly<Record<string, Refusal>>;
  readonly #account: PrivateKeyAccount;

  constructor(key: `0x${string}`, refusals: Readonly<Record<string, Refusal>> = {}) {
    this.#account = privateKeyToAccount(key);
    this.address = this.#account.address;
    this.refusals = refusals;
  }

  /** Puts it on the window before the page runs, as an extension does. */
  readonly install = async (page: Page): Promise<void> => {
    await page.exposeFunction('askWallet', (call: Call) => this.#answer(call));
    await page.addInitScript(`window.ethereum = { async request(call) {
      const { result, refusal } = await askWallet(call);
      if (refusal) throw refusal;
      return result;
    } };`);
  };

  async #answer({ method, params = [] }: Call): Promise<{ result?: unknown; refusal?: Refusal }> {
    this.asked.push(method);
    const refusal = this.refusals[method];
    if (refusal !== undefined) return { refusal };
    if (method === 'eth_requestAccounts') return { result: [this.address] };
    if (method === 'eth_chainId') return { result: this.chain };
    if (method === 'wallet_switchEthereumChain') {
      this.chain = (params[0] as { chainId: string }).chainId;
      return { result: null };
    }
    if (method !== 'eth_signTypedData_v4') return { refusal: { code: 4200, message: 'no such method' } };
    const text = String(params[1]);
    this.signed.push(text);
    return { result: await this.#account.signTypedData(JSON.parse(text)) };
  }
}
