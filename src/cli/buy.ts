import {
  atomicOf,
  type OpenPayment,
  type RawResult,
  type Reply,
  usdOf,
} from '../../packages/client/src/index.ts';
import { BuyError, buyerAt, serviceAddress } from '../host/buyer.ts';
import { type ChannelFlags, channelChain, channelStore } from '../host/channel-file.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import { closeAll, openTargets, type Target, type TargetPaths, type Targets } from './buy-targets.ts';

export interface BuyOptions extends TargetPaths, ChannelFlags {
  readonly url?: string;
  readonly key?: string;
  readonly network?: string;
  readonly maxUsd: string;
  /** Names the purchase: the service charges once for it in 24 hours, also where this command is run again. */
  readonly id?: string;
  /** Pays by a channel, which the first call opens. */
  readonly channel?: true | undefined;
  /** So many equal purchases, whole number as text; the last answer is written. */
  readonly times?: string;
}

const LINE_END = Buffer.from('\n');
/** The published keys can be had at any time; the receipt is to be on disk. */
const KEYS_MS = 10_000;
const IDENTIFIER = /^[A-Za-z0-9_-]{16,128}$/;

const say = (line: string): boolean => process.stderr.write(`buy: ${line}\n`);

/** The body on standard output: text gets the line end that a terminal wants, a binary body is left as it is. */
async function printBody({ body, headers }: Reply): Promise<void> {
  const isText = /^(?:text\/|application\/(?:[\w.-]+\+)?json)/.test(headers.get('content-type') ?? '');
  await new Promise<void>((written) => {
    process.stdout.write(isText ? Buffer.concat([body, LINE_END]) : body, () => written());
  });
}

/** The body as it came. @returns whether it is where it was asked for; else it is on standard output */
async function writeBody(reply: Reply, out: Target | undefined): Promise<boolean> {
  if (out === undefined) {
    await printBody(reply);
    return true;
  }
  try {
    await out.write(reply.body);
    return true;
  } catch (cause) {
    say(`the answer is on standard output, the file could not be written: ${reasonOf(cause)}`);
    await printBody(reply);
    return false;
  }
}

/** The keys that the service publishes now; undefined, with a word of it, where they cannot be had. */
async function publishedKeys(base: string): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(KEYS_MS);
    const response = await fetch(new URL('/.well-known/did.json', base), { signal });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await response.json();
  } catch (cause) {
    say(`the receipt has no keys beside it, verify takes them with --keys: ${reasonOf(cause)}`);
    return undefined;
  }
}

/**
 * The receipt of the answer, the keys that are published now, and the text that a receipt may have as its hash alone.
 * @returns whether it is in its file; else it is on standard error
 */
async function writeReceipt({ headers }: Reply, base: string, target: Target): Promise<boolean> {
  const receipt = headers.get('perpmeter-receipt');
  if (receipt === null) {
    say('the answer came without a receipt');
    return true;
  }
  const sources = headers.get('x-data-sources');
  const keys = await publishedKeys(base);
  const file = { receipt, ...(sources !== null && { sources }), ...(keys !== undefined && { keys }) };
  try {
    await target.write(`${JSON.stringify(file, null, 2)}\n`);
    return true;
  } catch (cause) {
    say(
      `the file of the receipt could not be written: ${reasonOf(cause)}; this is it: ${JSON.stringify(file)}`,
    );
    return false;
  }
}

/** For a shell: between quotes nothing has a meaning but the quote. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Prints the headers that present an open payment again once this process, which alone knows of it, has ended.
 */
function sayOpen(url: URL, { headers, validBefore }: OpenPayment, id: string | undefined): void {
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const run =
    id === undefined
      ? 'a second run of this command would sign a second one'
      : 'a second run with this --id signs a second one, and the two are charged once';
  const until =
    validBefore === undefined ? '' : `, until ${validBefore.toISOString()} (then it can no longer be taken)`;
  say(`the payment may have been taken: ${run}. What presents this one again${until}:`);
  process.stderr.write(`curl -sS -i ${lines.join(' ')} ${quoted(url.href)}\n`);
}

/** A deposit is no larger, unless another bound is given. */
const MAX_DEPOSIT_USD = '0.10';

/** The number of purchases. */
function timesOf({ times = '1', id }: BuyOptions): number {
  if (!/^[1-9]\d{0,5}$/.test(times)) throw new BuyError('--times is a whole number from 1 to 999999');
  if (id !== undefined && times !== '1')
    throw new BuyError('--id names one purchase, and --times asks for more');
  return Number(times);
}

/** The caps of a run, and its channels where it pays by one: the rest of a deposit is for later runs. */
function walletOf(options: BuyOptions, base: string, times: number) {
  const { maxUsd, maxDepositUsd = MAX_DEPOSIT_USD } = options;
  const spending = atomicOf(maxUsd) * BigInt(times);
  if (options.channel !== true)
    return { caps: { perCall: maxUsd, total: usdOf(spending) }, channels: false } as const;
  const total = usdOf(spending + atomicOf(maxDepositUsd));
  const channels = { fromCall: 1, calls: times, maxDepositUsd, chain: channelChain(options, base) };
  return { caps: { perCall: maxUsd, total }, channels, store: channelStore(options) };
}

/** Counts the answers of a run by the way in which they were paid. */
class Tally {
  #answers = 0;
  #byVoucher = 0;
  readonly #transactions = new Set<string>();

  add({ receipt }: Extract<RawResult, { ok: true }>): void {
    this.#answers++;
    if (receipt === undefined) return;
    if (receipt.transaction === '') this.#byVoucher++;
    else this.#transactions.add(receipt.transaction);
  }

  text(spentUsd: string, ms: number): string {
    const { size } = this.#transactions;
    return `${this.#answers} answers for ${spentUsd} USD in ${(ms / 1000).toFixed(1)} s: ${size} with a transaction, ${this.#byVoucher} by a voucher alone`;
  }
}

async function purchase(path: string, options: BuyOptions, { out, receipt }: Targets): Promise<number> {
  const { id } = options;
  const base = serviceAddress(options);
  const times = timesOf(options);
  const wallet = walletOf(options, base, times);
  // Nothing is paid where its file cannot be used.
  if (wallet.channels !== false) await wallet.store.channels.load();
  const client = buyerAt(base, options, wallet);
  const tally = new Tally();
  const began = performance.now();
  let result = await client.request(path, { paymentId: id });
  for (let i = 1; result.ok && i < times; i++) {
    tally.add(result);
    result = await client.request(path);
  }
  if (!result.ok) {
    const { code, detail, reply } = result.problem;
    if (reply !== undefined) await printBody(reply);
    say(`${code}: ${detail}`);
    const open = client.openPayment(path);
    if (open !== undefined) sayOpen(new URL(path, base), open, id);
    return 1;
  }
  tally.add(result);
  const { reply } = result;
  // Before anything that can fail: it is what says that money has moved.
  say(
    `${reply.status}, ${result.receipt === undefined ? 'without payment' : JSON.stringify(result.receipt)}`,
  );
  if (times > 1) say(tally.text(client.spentUsd(), performance.now() - began));
  const isWritten = await writeBody(reply, out);
  const isKept = receipt === undefined || (await writeReceipt(reply, base, receipt));
  return isWritten && isKept ? 0 : 1;
}

/**
 * Buys one answer: body on stdout or in a file, receipt on stderr; never pays above the cap, nor before its files can
 * be written.
 * @returns exit code: 0 served, 1 refused, failed, or not in the file that was asked for
 */
export async function buyCommand(path: string, options: BuyOptions): Promise<number> {
  try {
    if (options.id !== undefined && !IDENTIFIER.test(options.id))
      throw new BuyError('--id is 16 to 128 characters of A-Z a-z 0-9 _ -');
    const targets = await openTargets(options);
    return await purchase(path, options, targets).finally(() => closeAll(targets));
  } catch (error) {
    const reason = reasonOf(error);
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
    say(`${reason}${cause}`);
    return 1;
  }
}
