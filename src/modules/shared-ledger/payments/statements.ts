/** The statements of the ledger on PostgreSQL; each is one transaction. A write says in `done` whether it was made. */

export const PULSE = `
SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS now,
  (SELECT coalesce(sum(size), 0) FROM perpmeter.held_answers)::double precision AS held`;

export const READ = 'SELECT record FROM perpmeter.payments WHERE key = $1';
export const READ_PURCHASE = `
SELECT record FROM perpmeter.payments JOIN perpmeter.purchases USING (key) WHERE identifier = $1`;
export const READ_ANSWER = 'SELECT bytes FROM perpmeter.held_answers WHERE key = $1 AND answer_id = $2';
export const READ_RECEIPTS = `
SELECT official_receipt AS official, answer_receipt AS answer
FROM perpmeter.held_answers WHERE key = $1 AND answer_id = $2`;
export const DUE = `
SELECT record FROM perpmeter.payments WHERE due_at <= $1 AND state = ANY($3) ORDER BY due_at LIMIT $2`;
export const LIST = `
SELECT record FROM perpmeter.payments WHERE claimed_at < $1 ORDER BY claimed_at DESC, key DESC LIMIT $2`;

/** The day of receipts, open and locked; without a day ($10) there is nothing to lock. */
const OPEN = `open_day AS (
  SELECT FROM perpmeter.receipt_days WHERE day = $10::integer AND NOT closed FOR SHARE
)`;
const IS_OPEN = '($10::integer IS NULL OR EXISTS (SELECT FROM open_day))';
const WRITTEN_WITH_ANSWER = `
  ON CONFLICT (key) DO NOTHING RETURNING key, answer_id
), held AS (
  INSERT INTO perpmeter.held_answers (key, answer_id, size, bytes, official_receipt, answer_receipt)
  SELECT key, answer_id, $8::integer, $9::bytea, $12::text, $13::text FROM written
), leaf AS (
  INSERT INTO perpmeter.receipt_leaves (day, hash)
  SELECT $10::integer, $11::bytea FROM written WHERE $10::integer IS NOT NULL ON CONFLICT DO NOTHING
)
SELECT count(*) > 0 AS done FROM written`;
const PAYMENT = '(version, state, due_at, answer_id, record, key, claimed_at)';
const VALUES = '$1::integer, $2::text, $3::bigint, $4::text, $5::json, $6::bytea, $7::bigint';

/**
 * A payment ($1 to $7) with its answer ($8, $9), and where it is settled by that with its receipts: their day, leaf and texts
 * ($10 to $13).
 */
export const INSERT = `
WITH ${OPEN}, written AS (
  INSERT INTO perpmeter.payments ${PAYMENT} SELECT ${VALUES} WHERE ${IS_OPEN}${WRITTEN_WITH_ANSWER}`;
/**
 * The same of a payment with a payment identifier ($14), where that is free, or still that of a former payment ($15). Of two
 * statements with one nonce and two identifiers both may write theirs: that of the payment's own record counts.
 */
export const INSERT_PURCHASE = `
WITH ${OPEN}, bought AS (
  INSERT INTO perpmeter.purchases (identifier, key, claimed_at)
  SELECT $14::bytea, $6::bytea, $7::bigint
  WHERE ${IS_OPEN} AND NOT EXISTS (SELECT FROM perpmeter.payments WHERE key = $6::bytea)
  ON CONFLICT (identifier) DO UPDATE SET key = excluded.key, claimed_at = excluded.claimed_at
  WHERE purchases.key = $15::bytea RETURNING key
), written AS (
  INSERT INTO perpmeter.payments ${PAYMENT} SELECT ${VALUES} FROM bought${WRITTEN_WITH_ANSWER}`;
/**
 * Locks the row, which is a write and so waits for a synchronous stand-by: what a primary has alone can be seen there after
 * a crash, or once a session that waited was ended.
 */
export const IS_INSERTED = 'SELECT FROM perpmeter.payments WHERE key = $1 AND answer_id = $2 FOR UPDATE';

const SET = 'SET version = $1, state = $2, due_at = $3, answer_id = $4, record = $5';
const UNCHANGED = (first: number): string =>
  `key = $${first} AND claimed_at = $${first + 1} AND version = $${first + 2} AND state = $${first + 3}
    AND answer_id IS NOT DISTINCT FROM $${first + 4}`;
/** The same record in the same version is stored already; locked as `IS_INSERTED` does. */
export const IS_STORED =
  'SELECT FROM perpmeter.payments WHERE key = $1 AND version = $2 AND record::text = $3::text FOR UPDATE';

export const REPLACE = `
WITH written AS (UPDATE perpmeter.payments ${SET} WHERE ${UNCHANGED(6)} RETURNING key)
SELECT count(*) > 0 AS done FROM written`;

export const REPLACE_AND_DROP = `
WITH written AS (UPDATE perpmeter.payments ${SET} WHERE ${UNCHANGED(6)} RETURNING key),
  gone AS (DELETE FROM perpmeter.held_answers USING written WHERE held_answers.key = written.key)
SELECT count(*) > 0 AS done FROM written`;

export const OPEN_DAY = `
WITH written AS (
  INSERT INTO perpmeter.receipt_days (day, closed) VALUES ($1, false) ON CONFLICT (day) DO NOTHING
)
SELECT true AS done`;

/** The lock on its day keeps it open until the receipt is committed. */
export const SETTLE = `
WITH open_day AS (SELECT FROM perpmeter.receipt_days WHERE day = $11::integer AND NOT closed FOR SHARE),
  written AS (
    UPDATE perpmeter.payments ${SET}
    WHERE ${UNCHANGED(6)} AND EXISTS (SELECT FROM open_day) RETURNING key
  ),
  leaf AS (
    INSERT INTO perpmeter.receipt_leaves (day, hash) SELECT $11::integer, $12::bytea FROM written ON CONFLICT DO NOTHING
  ),
  held AS (
    UPDATE perpmeter.held_answers SET official_receipt = $13, answer_receipt = $14
    FROM written WHERE held_answers.key = written.key
  )
SELECT count(*) > 0 AS done FROM written`;

export const REMOVE = `
WITH written AS (DELETE FROM perpmeter.payments WHERE ${UNCHANGED(1)} RETURNING key),
  gone AS (DELETE FROM perpmeter.held_answers USING written WHERE held_answers.key = written.key),
  free AS (DELETE FROM perpmeter.purchases USING written WHERE purchases.key = written.key)
SELECT count(*) > 0 AS done FROM written`;
export const IS_GONE = 'SELECT WHERE NOT EXISTS (SELECT FROM perpmeter.payments WHERE key = $1)';

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
