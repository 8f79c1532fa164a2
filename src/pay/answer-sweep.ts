import { nameAt } from './answer-shelf.ts';
import { answerInDue, type Tables } from './ledger-tables.ts';

/** At most so many at a time. */
const MOST = 10_000;
/** Payments looked at before others get a turn. */
const A_TURN = 1_000;

/**
 * The keys of answers made before that time that no payment holds. An answer is stored in one transaction with all
 * payments that hold it, and every such payment is due some time: what nobody held in one view of both, nobody will.
 */
export async function unheldAnswers({ root, answers, due }: Tables, before: number): Promise<Buffer[]> {
  const transaction = root.useReadTransaction();
  try {
    const end = Buffer.from(nameAt(before), 'hex');
    const keys = [...answers.getKeys({ end, limit: MOST, transaction })];
    const unheld = new Map(keys.map((key) => [key.toString('hex'), key]));
    let start: Buffer | undefined;
    while (unheld.size > 0) {
      const from = start === undefined ? {} : { start, exclusiveStart: true };
      const entries = [...due.getRange({ ...from, limit: A_TURN, transaction })];
      for (const { value } of entries) unheld.delete(answerInDue(value) ?? '');
      start = entries.at(-1)?.key;
      if (entries.length < A_TURN) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return [...unheld.values()];
  } finally {
    transaction.done();
  }
}
