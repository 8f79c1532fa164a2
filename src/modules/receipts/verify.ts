import { readFile } from 'node:fs/promises';
import { isWire, readText } from '../../domain/read.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { RECEIPT_FAULTS, type Verdict, verifyProof, verifyReceipt } from './verify-receipt.ts';

export interface VerifyOptions {
  /** Published key document; without it the one that lies beside the receipt. */
  readonly keys?: string;
  readonly proof?: string;
  readonly exact?: true;
  readonly request?: string;
  readonly payer?: string;
  readonly transaction?: string;
}

/** A receipt as `buy --receipt` writes it, or as it came in its header. */
interface ReceiptFile {
  readonly receipt: string;
  readonly keys?: unknown;
  readonly sources?: string | undefined;
}

async function readReceipt(path: string): Promise<ReceiptFile> {
  const text = (await readFile(path, 'utf8')).trim();
  if (!text.startsWith('{')) return { receipt: text };
  const file: unknown = JSON.parse(text);
  const receipt = isWire(file) ? readText(file.receipt) : undefined;
  if (!isWire(file) || receipt === undefined) throw new Error(`${path} has no receipt`);
  return { receipt, keys: file.keys, sources: readText(file.sources) };
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new Error(`${path} cannot be read: ${reasonOf(cause)}`);
  }
}

function tell(line: unknown): void {
  process.stdout.write(`${JSON.stringify(line, null, 2)}\n`);
}

function refuse(what: string, verdict: Extract<Verdict<unknown>, { ok: false }>): 1 {
  process.stderr.write(`verify: ${what} refused, ${verdict.fault}: ${RECEIPT_FAULTS[verdict.fault]}\n`);
  return 1;
}

async function verify(answerPath: string, receiptPath: string, options: VerifyOptions): Promise<number> {
  const file = await readReceipt(receiptPath);
  const keys = options.keys === undefined ? file.keys : await readJson(options.keys);
  if (keys === undefined) throw new Error('no keys: give --keys, the /.well-known/did.json of the seller');
  const verdict = verifyReceipt(file.receipt, await readFile(answerPath), keys, {
    exact: options.exact === true,
    request: options.request,
    payer: options.payer,
    transaction: options.transaction,
    sources: file.sources,
  });
  if (!verdict.ok) return refuse('receipt', verdict);
  const { payload, by } = verdict.value;
  const trust = options.keys === undefined ? 'beside the receipt' : 'given';
  if (options.proof === undefined) {
    tell({ verified: true, by, keys: trust, receipt: payload });
  } else {
    const proven = verifyProof(file.receipt, await readJson(options.proof), keys);
    if (!proven.ok) return refuse('proof', proven);
    tell({ verified: true, by, keys: trust, receipt: payload, root: proven.value });
  }
  if (options.keys === undefined) {
    process.stderr.write(
      'verify: the keys came with the receipt: who made the one may have made the other. --keys takes the published document\n',
    );
  }
  return 0;
}

/**
 * Checks a bought answer against its receipt, without a network.
 * @returns exit code: 0 verified, 1 refused with the reason, 2 a file that cannot be read
 */
export async function verifyCommand(
  answer: string,
  receipt: string,
  options: VerifyOptions,
): Promise<number> {
  try {
    return await verify(answer, receipt, options);
  } catch (cause) {
    process.stderr.write(`verify: ${reasonOf(cause)}\n`);
    return 2;
  }
}
