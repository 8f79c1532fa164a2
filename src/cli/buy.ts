import { constants, existsSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { OpenPayment, Reply } from '../../packages/client/src/index.ts';
import { BuyError, buyerAt, serviceAddress } from '../host/buyer.ts';
import { reasonOf } from '../runtime/reason-of.ts';

export interface BuyOptions {
  readonly url?: string;
  readonly key?: string;
  readonly maxUsd: string;
  /** Names the purchase: the service charges once for it in 24 hours, also where this command is run again. */
  readonly id?: string;
  /** File that the body is written to, byte for byte; standard output without it. */
  readonly out?: string;
  /** File that the receipt of the answer is written to, with what verifies it. */
  readonly receipt?: string;
}

const LINE_END = Buffer.from('\n');
/** The published keys can be had at any time; the receipt is to be on disk. */
const KEYS_MS = 10_000;
const IDENTIFIER = /^[A-Za-z0-9_-]{16,128}$/;

/** A file for what will be bought, opened before anything is paid for; what stands in it stays until it is written. */
class Target {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #isNew: boolean;
  #isWritten = false;

  private constructor(path: string, file: FileHandle, isNew: boolean) {
    this.#path = path;
    this.#file = file;
    this.#isNew = isNew;
  }

  static async open(path: string): Promise<Target> {
    const isNew = !existsSync(path);
    try {
      return new Target(path, await open(path, constants.O_WRONLY | constants.O_CREAT), isNew);
    } catch (cause) {
      throw new BuyError(`nothing was paid: ${reasonOf(cause)}`);
    }
  }

  async write(content: Uint8Array | string): Promise<void> {
    this.#isWritten = true;
    // A pipe or a device has no length.
    if ((await this.#file.stat()).isFile()) await this.#file.truncate();
    await this.#file.writeFile(content);
    // Some disks say only now that they are full.
    await this.#file.close();
  }

  /** Leaves no empty file behind where nothing was bought. */
  async close(): Promise<void> {
    await this.#file.close().catch(() => {});
    if (this.#isNew && !this.#isWritten) await rm(this.#path, { force: true });
  }
}

interface Targets {
  readonly out?: Target;
  readonly receipt?: Target;
}

const closeAll = ({ out, receipt }: Targets) => Promise.all([out?.close(), receipt?.close()]);

async function openTargets({ out, receipt }: BuyOptions): Promise<Targets> {
  if (out !== undefined && receipt !== undefined && resolve(out) === resolve(receipt))
    throw new BuyError('nothing was paid: --out and --receipt are the same file');
  const first: Targets = out === undefined ? {} : { out: await Target.open(out) };
  try {
    return receipt === undefined ? first : { ...first, receipt: await Target.open(receipt) };
  } catch (cause) {
    await closeAll(first);
    throw cause;
  }
}

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

async function purchase(path: string, options: BuyOptions, { out, receipt }: Targets): Promise<number> {
  const { maxUsd, id } = options;
  const base = serviceAddress(options);
  const client = buyerAt(base, options, { caps: { perCall: maxUsd, total: maxUsd } });
  const result = await client.request(path, { paymentId: id });
  if (!result.ok) {
    const { code, detail, reply } = result.problem;
    if (reply !== undefined) await printBody(reply);
    say(`${code}: ${detail}`);
    const open = client.openPayment(path);
    if (open !== undefined) sayOpen(new URL(path, base), open, id);
    return 1;
  }
  const { reply } = result;
  // Before anything that can fail: it is what says that money has moved.
  say(
    `${reply.status}, ${result.receipt === undefined ? 'without payment' : JSON.stringify(result.receipt)}`,
  );
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
