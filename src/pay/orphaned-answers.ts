import { answerIdAt } from './answer-references.ts';
import { answerInDue, type Tables } from './ledger-tables.ts';

/** At most so many at a time. */
const MAX_KEYS = 10_000;
/** Payments looked at before others get a turn. */
const A_TURN = 1_000;

/**
 * The keys of answers made before that time that no payment references. An answer is stored in one transaction with all
 * its payments, and every such payment has a due time: one without a reference in a consistent view stays orphaned.
 */
export async function orphanedAnswers({ root, answers, due }: Tables, before: number): Promise<Buffer[]> {
  const transaction = root.useReadTransaction();
  try {
    const end = Buffer.from(answerIdAt(before), 'hex');
    const keys = [...answers.getKeys({ end, limit: MAX_KEYS, transaction })];
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
