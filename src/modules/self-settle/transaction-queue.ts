import { type Rpc, RpcError, readQuantity } from '../../pay/rpc.ts';
import type { GasOracle } from './gas.ts';
import { type SubmissionOutcome, submissionOutcomeOf } from './refusal.ts';
import type { Call, SignedTransaction, Wallet } from './wallet.ts';

export interface TransactionQueueOptions {
  readonly rpc: Rpc;
  readonly wallet: Wallet;
  readonly gas: GasOracle;
}

/** A transaction on its way. Bidding more gives it another hash; any of them may be the one that is mined. */
export interface PendingTransaction {
  readonly nonce: number;
  readonly hashes: readonly string[];
}

export type SendResult =
  | { readonly kind: 'sent'; readonly sending: PendingTransaction }
  /** The node certainly did not take it: nothing is on its way. */
  | { readonly kind: 'rejected'; readonly message: string };

interface Open extends PendingTransaction {
  readonly hashes: string[];
  latest: SignedTransaction;
  /** When the call has become useless, as performance.now() counts. */
  readonly until: number;
  /** The node has said that it has the latest. */
  isTaken: boolean;
}

const TEND_MS = 3_000;
const TRIES = 4;
/** The number is used up, or somebody else with our key has a transaction under it. */
const TAKEN = /nonce (?:is )?too low|nonce has already been used|replacement transaction underpriced/i;
const CHEAP = /underpriced|max fee per gas less than block base fee|fee too low/i;

/**
 * Sends the transactions of one account. Each gets the next nonce at once, so that a slow one holds up nobody;
 * a nonce whose transaction the node refused is used next, or filled, since a gap holds up all later ones. A
 * transaction that may have been sent is sent again until its nonce is used; one that is of no use any more is
 * replaced by an empty one.
 */
export class TransactionQueue {
  readonly #options: TransactionQueueOptions;
  /** Uses a number for nothing. */
  readonly #nothing: Call;
  readonly #open = new Map<number, Open>();
  #free: number[] = [];
  /** Numbers given out for transactions that the node has not seen yet. */
  #inHand = 0;
  #next: number | undefined;
  #starting: Promise<number> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TransactionQueueOptions) {
    this.#options = options;
    this.#nothing = { to: options.wallet.address, data: '0x', gas: 21_000n };
  }

  /**
   * Signs and sends. A transaction that is not certainly refused counts as sent. Rejects with RpcError where
   * nothing is on its way.
   *
   * @param until when the call has become useless, as performance.now() counts
   */
  async send(call: Call, until: number): Promise<SendResult> {
    const { gas, wallet } = this.#options;
    let message = '';
    for (let i = 0; i < TRIES; i++) {
      const fees = await gas.fees();
      const nonce = await this.#take();
      const tried = await this.#sendAs(await wallet.sign(call, nonce, fees), until);
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

  async #sendAs(signed: SignedTransaction, until: number): Promise<SendResult> {
    this.#inHand++;
    const reception = await this.#submit(signed);
    this.#inHand--;
    return reception.kind === 'refused'
      ? { kind: 'rejected', message: reception.message }
      : { kind: 'sent', sending: this.#opened(signed, until, reception) };
  }

  /** True where the number of the transaction was used, by it or by another of the same account. */
  async isOver({ nonce }: PendingTransaction): Promise<boolean> {
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

  async #submit({ raw }: SignedTransaction): Promise<SubmissionOutcome> {
    try {
      await this.#options.rpc('eth_sendRawTransaction', [raw]);
      return { kind: 'taken' };
    } catch (cause) {
      return submissionOutcomeOf(cause);
    }
  }

  #opened(signed: SignedTransaction, until: number, { kind }: SubmissionOutcome): PendingTransaction {
    const { nonce, hash } = signed;
    const open: Open = { nonce, hashes: [hash], latest: signed, until, isTaken: kind === 'taken' };
    this.#open.set(nonce, open);
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
    if (this.#open.has(used)) await this.#sendAllAgain(used);
    else if (this.#free[0] === used && this.#open.size > 0) await this.#fill(used);
    else if (this.#open.size === 0 && this.#inHand === 0) this.#forget();
  }

  /** Nothing is open: the node knows best what comes next. */
  #forget(): void {
    this.#free = [];
    this.#next = undefined;
    this.#starting = undefined;
  }

  /**
   * The lowest, which all others wait for, and all of which it is not known that the node has them: after an outage many
   * may be missing.
   */
  async #sendAllAgain(lowest: number): Promise<void> {
    const inOrder = [...this.#open.values()].sort((a, b) => a.nonce - b.nonce);
    for (const open of inOrder) {
      if ((open.isTaken && open.nonce !== lowest) || !this.#open.has(open.nonce)) continue;
      await this.#sendAgain(open);
      // The node takes none at the moment.
      if (!open.isTaken) return;
    }
  }

  /**
   * As it is, or for more where gas has become dearer. One that no node takes would hold up all others for good: when its
   * call is useless, another takes its number.
   */
  async #sendAgain(open: Open): Promise<void> {
    const { gas, wallet } = this.#options;
    const { latest } = open;
    const call = performance.now() < open.until ? latest.call : this.#nothing;
    const now = await gas.fees();
    if (call !== latest.call || now.maxFeePerGas * 8n >= latest.fees.maxFeePerGas * 9n) {
      const next = await wallet.sign(call, open.nonce, gas.over(latest.fees, now));
      if (await this.#replace(open, next)) return;
    }
    open.isTaken = (await this.#submit(latest)).kind === 'taken';
  }

  /** Sends it in the place of the latest; false where the node refused it: what it has is still the one before. */
  async #replace(open: Open, next: SignedTransaction): Promise<boolean> {
    // Looked for from now on: it may be mined before the node has answered.
    open.hashes.push(next.hash);
    const { kind } = await this.#submit(next);
    if (kind === 'refused') {
      open.hashes.pop();
      return false;
    }
    open.latest = next;
    open.isTaken = kind === 'taken';
    return true;
  }

  /** A number that nobody wants holds up all later ones: used for nothing. */
  async #fill(nonce: number): Promise<void> {
    const { gas, wallet } = this.#options;
    const fees = await gas.fees();
    // A payment may have taken it meanwhile; where the price is not known it stays free, and is filled next time.
    if (this.#free[0] !== nonce) return;
    this.#free.shift();
    const signed = await wallet.sign(this.#nothing, nonce, fees);
    this.#opened(signed, Number.POSITIVE_INFINITY, await this.#submit(signed));
  }
}
