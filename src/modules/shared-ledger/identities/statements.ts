/** The statements of identities on PostgreSQL; each is one transaction, and what it changes has one revision. */

/** Each commit is announced on this channel, so that the hosts that listen read what is new. */
export const CHANNEL = 'perpmeter_identities';
const TELL = `pg_notify('${CHANNEL}', '')`;

/** All that is newer than a revision, as of one moment. */
export const FOLLOW = `
SELECT revision::double precision AS revision,
  (SELECT coalesce(json_agg(it ORDER BY it.venue, it.symbol, it.generation), '[]') FROM (
    SELECT venue, symbol, generation, canonical_id, ticker, asset_class, basis, valid_from, valid_to
    FROM perpmeter.identity_ranges WHERE revision > $1
  ) AS it) AS ranges,
  (SELECT coalesce(json_agg(record ORDER BY sequence), '[]') FROM perpmeter.identity_decisions WHERE revision > $1) AS decisions,
  (SELECT coalesce(json_agg(json_build_object('venue', venue, 'id', id)), '[]') FROM perpmeter.source_ids WHERE revision > $1)
    AS source_ids
FROM perpmeter.identity_head`;

/**
 * Ranges of contracts, each where its last range is as it was read. The head is locked before anything else is
 * changed: who waits for it judges every range as the one before has left it.
 */
export const CHANGE = `
WITH head AS (
  UPDATE perpmeter.identity_head SET revision = revision + 1
  WHERE $13::bigint IS NULL OR revision = $13 RETURNING revision
), asked AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::double precision[], $6::text[],
    $7::double precision[], $8::text[], $9::text[], $10::text[], $11::text[], $12::double precision[])
  AS asked (venue, symbol, generation, was_basis, was_to, kept_basis, kept_to,
    canonical_id, ticker, asset_class, basis, valid_from)
), kept AS (
  UPDATE perpmeter.identity_ranges AS held
  SET basis = kept_basis, valid_to = kept_to, is_last = asked.canonical_id IS NULL, revision = head.revision
  FROM asked, head
  WHERE held.venue = asked.venue AND held.symbol = asked.symbol AND held.generation = asked.generation - 1
    AND held.is_last AND held.basis = was_basis AND held.valid_to IS NOT DISTINCT FROM was_to
  RETURNING held.venue, held.symbol
), begun AS (
  INSERT INTO perpmeter.identity_ranges
    (venue, symbol, generation, canonical_id, ticker, asset_class, basis, valid_from, is_last, revision)
  SELECT venue, symbol, generation, canonical_id, ticker, asset_class, basis, valid_from, true, head.revision
  FROM head, asked LEFT JOIN kept USING (venue, symbol)
  WHERE canonical_id IS NOT NULL AND (generation = 0 OR kept.venue IS NOT NULL)
  ON CONFLICT DO NOTHING
)
SELECT true AS done, ${TELL} FROM head`;

/** A decision, where nothing at all has changed since it was made. */
export const DECIDE = `
WITH head AS (
  UPDATE perpmeter.identity_head SET revision = revision + 1 WHERE revision = $1 RETURNING revision
), written AS (
  INSERT INTO perpmeter.identity_decisions (sequence, record, revision) SELECT $2::integer, $3::json, revision FROM head
  ON CONFLICT DO NOTHING RETURNING revision
)
SELECT true AS done, ${TELL} FROM written`;
export const IS_DECIDED =
  'SELECT FROM perpmeter.identity_decisions WHERE sequence = $1 AND record::text = $2::text';

/** Numbers for venues that have none. */
export const NUMBER = `
WITH head AS (
  UPDATE perpmeter.identity_head SET revision = revision + 1, next_source_id = next_source_id + cardinality($1::text[])
  RETURNING revision, next_source_id - cardinality($1::text[]) AS first
), given AS (
  INSERT INTO perpmeter.source_ids (venue, id, revision)
  SELECT venue, first + place::integer - 1, revision FROM head, unnest($1::text[]) WITH ORDINALITY AS asked (venue, place)
  ON CONFLICT DO NOTHING
)
SELECT true AS done, ${TELL} FROM head`;

/** The ranges of another store, where there are none yet: a contract with all its ranges, or not at all. */
export const TAKE_RANGES = `
WITH head AS (
  UPDATE perpmeter.identity_head SET revision = revision + 1 RETURNING revision
), asked AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::text[],
    $8::double precision[], $9::double precision[], $10::boolean[])
  AS asked (venue, symbol, generation, canonical_id, ticker, asset_class, basis, valid_from, valid_to, is_last)
), first AS (
  INSERT INTO perpmeter.identity_ranges
  SELECT asked.*, head.revision FROM asked, head WHERE generation = 0 ON CONFLICT DO NOTHING RETURNING venue, symbol
), rest AS (
  INSERT INTO perpmeter.identity_ranges
  SELECT asked.*, head.revision FROM asked JOIN first USING (venue, symbol), head WHERE generation > 0
)
SELECT true AS done, ${TELL} FROM head`;

export const TAKE_DECISIONS = `
WITH head AS (
  UPDATE perpmeter.identity_head SET revision = revision + 1 RETURNING revision
), taken AS (
  INSERT INTO perpmeter.identity_decisions (sequence, record, revision)
  SELECT sequence, record, revision FROM unnest($1::integer[], $2::json[]) AS asked (sequence, record), head
  ON CONFLICT DO NOTHING
)
SELECT true AS done, ${TELL} FROM head`;

export const TAKE_NUMBERS = `
WITH head AS (
  UPDATE perpmeter.identity_head SET revision = revision + 1,
    next_source_id = greatest(next_source_id, (SELECT max(id) + 1 FROM unnest($2::integer[]) AS asked (id)))
  RETURNING revision
), taken AS (
  INSERT INTO perpmeter.source_ids (venue, id, revision)
  SELECT venue, id, revision FROM unnest($1::text[], $2::integer[]) AS asked (venue, id), head
  ON CONFLICT DO NOTHING
)
SELECT true AS done, ${TELL} FROM head`;

/** While what another store holds is carried over nobody begins with a part of it. */
export const MOVING = `
WITH head AS (UPDATE perpmeter.identity_head SET is_moving = $1) SELECT true AS done`;
