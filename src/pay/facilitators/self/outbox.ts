import { type Rpc, RpcError, readQuantity } from '../../rpc.ts';
import type { Gas } from './gas.ts';
import type { Call, SignedTransaction, Wallet } from './wallet.ts';

export interface OutboxOptions {
  readonly rpc: Rpc;
  readonly wallet: Wallet;
  readonly gas: Gas;
}

/** A transaction on its way. Bidding more gives it another hash; any of them may be the one that is mined. */
export interface Sending {
  readonly nonce: number;
  readonly hashes: readonly string[];
}

export type SendResult =
  | { readonly kind: 'sent'; readonly sending: Sending }
  /** The node did not take it: nothing is on its way. */
  | { readonly kind: 'rejected'; readonly message: string };

interface Open extends Sending {
  readonly hashes: string[];
  latest: SignedTransaction;
}

const TEND_MS = 3_000;
const TRIES = 4;
const KNOWN = /already known|already imported|known transaction/i;
/** The number is used up, or somebody else with our key has a transaction under it. */
const TAKEN = /nonce (?:is )?too low|nonce has already been used|replacement transaction underpriced/i;
const CHEAP = /underpriced|max fee per gas less than block base fee|fee too low/i;

/**
 * Sends the transactions of one account. Each gets the next number at once, so that one that is slow holds up nobody;
 * a number that the node turned away is used next, or filled, since it would hold up all that come after it. What may
 * have been sent is sent again until its number is used.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #open = new Map<number, Open>();
  #free: number[] = [];
  /** Numbers given out for transactions that the node has not seen yet. */
  #inHand = 0;
  #next: number | undefined;
  #starting: Promise<number> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Signs and sends. An answer that did not come counts as sent. Rejects with RpcError where nothing was tried. */
  async send(call: Call): Promise<SendResult> {
    const { gas, wallet } = this.#options;
    let message = '';
    for (let i = 0; i < TRIES; i++) {
      const fees = await gas.fees();
      const nonce = await this.#take();
      const tried = await this.#sendAs(await wallet.sign(call, nonce, fees));
      if (tried.kind === 'sent') return tried;
      message = tried.message;
      if (TAKEN.test(message)) await this.#catchUp();
      else {
        this.#giveBack(nonce);
        if (!CHEAP.test(message)) break;
        gas.forget();
      }
    }
    return { kind: 'rejected', message };
  }

  async #sendAs(signed: SignedTransaction): Promise<SendResult> {
    this.#inHand++;
    const refusal = await this.#submit(signed);
    this.#inHand--;
    const isTaken = refusal === undefined || KNOWN.test(refusal);
    return isTaken ? { kind: 'sent', sending: this.#opened(signed) } : { kind: 'rejected', message: refusal };
  }

  /** True where the number of the transaction was used, by it or by another of the same account. */
  async isOver({ nonce }: Sending): Promise<boolean> {
    return (await this.#count('latest')) > nonce;
  }

  /** Looks after nothing any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#open.clear();
  }

  async #take(): Promise<number> {
    const freed = this.#free.shift();
    if (freed !== undefined) return freed;
    this.#starting ??= this.#count('pending');
    try {
      const first = await this.#starting;
      this.#next ??= first;
    } catch (cause) {
      this.#starting = undefined;
      throw cause;
    }
    return this.#next++;
  }

  #giveBack(nonce: number): void {
    if (nonce + 1 === this.#next) this.#next = nonce;
    else {
      this.#free.push(nonce);
      this.#free.sort((a, b) => a - b);
      this.#tendLater();
    }
  }

  /** Somebody else uses the key as well: go on behind what the node knows of. */
  async #catchUp(): Promise<void> {
    const pending = await this.#count('pending');
    this.#next = Math.max(this.#next ?? 0, pending);
  }

  async #count(tag: 'latest' | 'pending'): Promise<number> {
    const { rpc, wallet } = this.#options;
    const count = readQuantity(await rpc('eth_getTransactionCount', [wallet.address, tag]));
    if (count === undefined) throw new RpcError('eth_getTransactionCount: no number');
    return Number(count);
  }

  /** What the node has against it; undefined where it was taken, or may have been. */
  async #submit({ raw }: SignedTransaction): Promise<string | undefined> {
    try {
      await this.#options.rpc('eth_sendRawTransaction', [raw]);
      return undefined;
    } catch (cause) {
      return cause instanceof RpcError ? cause.answer?.message : String(cause);
    }
  }

  #opened(signed: SignedTransaction): Sending {
    const open: Open = { nonce: signed.nonce, hashes: [signed.hash], latest: signed };
    this.#open.set(signed.nonce, open);
    this.#tendLater();
    return open;
  }

  #tendLater(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      // A node that does not answer is asked again next time.
      this.#tend().then(
        () => this.#again(),
        () => this.#again(),
      );
    }, TEND_MS);
    this.#timer.unref();
  }

  #again(): void {
    if (this.#open.size > 0 || this.#free.length > 0) this.#tendLater();
  }

  async #tend(): Promise<void> {
    const used = await this.#count('latest');
    for (const nonce of this.#open.keys()) if (nonce < used) this.#open.delete(nonce);
    while ((this.#free[0] ?? used) < used) this.#free.shift();
    const lowest = this.#open.get(used);
    if (lowest !== undefined) await this.#sendAgain(lowest);
    else if (this.#free[0] === used && this.#open.size > 0) await this.#fill(used);
    else if (this.#open.size === 0 && this.#inHand === 0) this.#forget();
  }

  /** Nothing is open: the node knows best what comes next. */
  #forget(): void {
    this.#free = [];
    this.#next = undefined;
    this.#starting = undefined;
  }

  /** The transaction that all others wait for: sent again, for more where gas has become dearer. */
  async #sendAgain(open: Open): Promise<void> {
    const { gas, wallet } = this.#options;
    const { latest } = open;
    const now = await gas.fees();
    if (now.maxFeePerGas * 8n >= latest.fees.maxFeePerGas * 9n) {
      const next = await wallet.sign(latest.call, open.nonce, gas.over(latest.fees, now));
      if (await this.#replace(open, next)) return;
    }
    await this.#submit(latest);
  }

  /** Sends it in the place of the latest; false where the node refused it: what it has is still the one before. */
  async #replace(open: Open, next: SignedTransaction): Promise<boolean> {
    // Looked for from now on: it may be mined before the node has answered.
    open.hashes.push(next.hash);
    const refusal = await this.#submit(next);
    if (refusal === undefined || KNOWN.test(refusal)) open.latest = next;
    else open.hashes.pop();
    return open.latest === next;
  }

  /** A number that nobody wants holds up all later ones: used for nothing. */
  async #fill(nonce: number): Promise<void> {
    const { gas, wallet } = this.#options;
    const fees = await gas.fees();
    // A payment may have taken it meanwhile; where the price is not known it stays free, and is filled next time.
    if (this.#free[0] !== nonce) return;
    this.#free.shift();
    const nothing: Call = { to: wallet.address, data: '0x', gas: 21_000n };
    const signed = await wallet.sign(nothing, nonce, fees);
    await this.#submit(signed);
    this.#opened(signed);
  }
}
