import { isWire, readText } from '../../domain/read.ts';
import type { PaymentRecord } from '../../pay/record.ts';
import type { SaleReceipts } from '../../pay/sale.ts';
import { dayNumber, leafHash } from '../../pay/sale-log.ts';

/** The statement of a receipt about what was sold, and the place of the receipt in the log. */
export interface SoldAnswer {
  /** SHA-256 of the body, base64url. */
  readonly bodySha256: string;
  /** SHA-256 of its canonical JSON, base64url; undefined where the receipt states none. */
  readonly jsonSha256: string | undefined;
  /** UTC day whose tree has the receipt, as a number of days since 1970. */
  readonly day: number;
  /** Hash of the receipt in that tree, hex. */
  readonly leaf: string;
}

/**
 * Reads which answer a receipt was issued for, without verifying its signature: it comes from the ledger.
 *
 * @returns undefined where the receipt names no body, or the payment is not settled
 */
export function soldAnswer(
  { settledAt }: Pick<PaymentRecord, 'settledAt'>,
  { answer }: SaleReceipts,
): SoldAnswer | undefined {
  const payload = payloadOf(answer);
  const bodySha256 = readText(payload?.body_sha256);
  if (bodySha256 === undefined || settledAt === undefined) return undefined;
  return {
    bodySha256,
    jsonSha256: readText(payload?.json_sha256),
    day: dayNumber(settledAt),
    leaf: leafHash(Buffer.from(answer)).toString('hex'),
  };
}

function payloadOf(jws: string) {
  try {
    const payload: unknown = JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return isWire(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}
