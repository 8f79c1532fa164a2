/**
 * The fixed statements of the ledger on PostgreSQL; each is one transaction. Those that change a payment are put together in
 * `changes.ts`.
 */

export const PULSE = `
SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS now,
  (SELECT coalesce(sum(size), 0) FROM perpmeter.held_answers)::double precision AS held`;

export const READ = 'SELECT record FROM perpmeter.payments WHERE key = $1';
export const READ_PURCHASE = `
SELECT record FROM perpmeter.payments JOIN perpmeter.purchases USING (key) WHERE identifier = $1`;
export const READ_ANSWER = 'SELECT bytes FROM perpmeter.held_answers WHERE key = $1 AND answer_id = $2';
export const READ_RECEIPTS = 'SELECT official, answer, bytes FROM perpmeter.receipts WHERE key = $1';
export const DUE = `
SELECT record FROM perpmeter.payments WHERE due_at <= $1 AND state = ANY($3) ORDER BY due_at LIMIT $2`;
export const LIST = `
SELECT record FROM perpmeter.payments WHERE claimed_at < $1 ORDER BY claimed_at DESC, key DESC LIMIT $2`;

export const OPEN_DAY = `
WITH written AS (
  INSERT INTO perpmeter.receipt_days (day, closed) VALUES ($1, false) ON CONFLICT (day) DO NOTHING
)
SELECT true AS done`;

/**
 * Lets go of payment identifiers that stand for nothing any more ($1: paid for, or given up, before; Unix ms), as `mayHoldIdentifier`
 * has it.
 */
export const FREE_IDENTIFIERS = `
WITH lost AS (
  DELETE FROM perpmeter.purchases WHERE claimed_at < $1
    AND NOT EXISTS (SELECT FROM perpmeter.payments AS paid WHERE paid.key = purchases.key)
), gone AS (
  DELETE FROM perpmeter.purchases USING perpmeter.payments AS paid
  WHERE purchases.key = paid.key AND purchases.claimed_at < $1
    AND CASE paid.state
      WHEN 'refused' THEN paid.due_at IS NULL
      WHEN 'unknown' THEN (paid.record->>'closedAt')::bigint < $1
      ELSE (paid.record->>'settledAt')::bigint < $1
    END
)
SELECT true AS done`;
