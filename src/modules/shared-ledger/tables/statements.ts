/** Channel on which changes of any space are announced. */
export const CHANNEL = 'perpmeter_shared';

/** A space, as a writer begins it. */
export const BEGIN = 'INSERT INTO perpmeter.shared_spaces (space) VALUES ($1) ON CONFLICT DO NOTHING';

/** Rows of a page at least, where there are so many: what one revision has changed is never parted. */
export const PAGE = 2000;

/**
 * The run of a space, and the server's timeline, which is another one after each promotion: a stand-by that was behind may give
 * revisions again that copies have read of the former primary.
 */
const RUN = "run || ' ' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)";

/** A space with its rows that are newer than a revision; one row without a name where there is none. */
export const FOLLOW = `SELECT head.${RUN} AS run, head.revision::float8 AS last, head.trimmed::float8 AS trimmed,
    extract(epoch FROM clock_timestamp())::float8 * 1000 AS now,
    part.name, part.key, part.row, part.revision::float8 AS revision
  FROM perpmeter.shared_spaces AS head LEFT JOIN LATERAL (
    SELECT name, key, row, revision FROM perpmeter.shared_rows
    WHERE shared_rows.space = head.space AND shared_rows.revision > $2
    ORDER BY revision FETCH FIRST ${PAGE} ROWS WITH TIES
  ) AS part ON true
  WHERE head.space = $1 ORDER BY part.revision`;

/** Writes rows where the space is still of the run, and at the revision, that they rest on; a row that is null is removed. */
export const CHANGE = `WITH head AS (
    UPDATE perpmeter.shared_spaces SET revision = revision + 1
    WHERE space = $1 AND ${RUN} = $2 AND revision = $3::bigint RETURNING revision
  ), given AS (
    SELECT * FROM json_to_recordset($4::json) AS given(name text, key text, row json)
  ), written AS (
    INSERT INTO perpmeter.shared_rows (space, name, key, row, revision)
    SELECT $1, given.name, given.key, given.row, head.revision FROM given, head
    ON CONFLICT (space, name, key)
    DO UPDATE SET row = excluded.row, revision = excluded.revision, changed_at = now()
  )
  SELECT count(*) > 0 AS done, count(pg_notify('${CHANNEL}', $1)) FROM head`;

/** Lets go of rows that were removed long ago. */
export const TRIM = `WITH gone AS (
    DELETE FROM perpmeter.shared_rows
    WHERE space = $1 AND row IS NULL AND changed_at < now() - interval '7 days' RETURNING revision
  )
  UPDATE perpmeter.shared_spaces SET trimmed = GREATEST(trimmed, (SELECT max(revision) FROM gone))
  WHERE space = $1 AND EXISTS (SELECT FROM gone) RETURNING true AS done`;
