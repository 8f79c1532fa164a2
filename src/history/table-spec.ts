import { LOCAL_SUFFIX } from './node-store.ts';

/** A table in the terms that all engines share; only the ENGINE clause differs. */
export interface TableSpec {
  readonly name: string;
  /** Column definitions, in order. */
  readonly columns: readonly string[];
  readonly partitionBy: string;
  /** Sorting key; the primary key is all of it but what tells revisions apart. */
  readonly primaryKey: string;
  readonly revisionKey: string;
  /** Expression whose rows stay together on one shard. */
  readonly shardBy: string;
  /** Settings of this table beside those that all have. */
  readonly settings?: readonly string[];
}

/**
 * Written twice is stored once: identical blocks are recognised by their content. Acknowledged rows are on the
 * disk.
 */
const MERGE_TREE_SETTINGS =
  'SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 1000';
const DISTRIBUTED_SETTINGS = 'SETTINGS fsync_after_insert = 1, fsync_directories = 1';

function createTable(name: string, spec: TableSpec, engine: string): string {
  return `CREATE TABLE IF NOT EXISTS ${name} (\n  ${spec.columns.join(',\n  ')}\n) ${engine}`;
}

/** chDB removes what a merge has replaced within a second: too soon to notice that the merge was not written. */
export const KEEP_REPLACED_PARTS = 'old_parts_lifetime = 120';

function mergeTree(
  { partitionBy, primaryKey, revisionKey, settings = [] }: TableSpec,
  cluster: string | undefined,
): string {
  const key = `PRIMARY KEY (${primaryKey}) ORDER BY (${primaryKey}, ${revisionKey})`;
  const set = [
    MERGE_TREE_SETTINGS,
    ...(cluster === undefined ? [KEEP_REPLACED_PARTS] : []),
    ...settings,
  ].join(', ');
  return `ENGINE = MergeTree PARTITION BY ${partitionBy} ${key} ${set}`;
}

/**
 * The statements that make a table on one node.
 *
 * @param cluster name of the cluster whose shards share the rows; undefined = this node has them all
 */
export function tableStatements(spec: TableSpec, database: string, cluster: string | undefined): string[] {
  if (cluster === undefined) return [createTable(spec.name, spec, mergeTree(spec, cluster))];
  const local = spec.name + LOCAL_SUFFIX;
  const spread = `ENGINE = Distributed('${cluster}', '${database}', '${local}', cityHash64(${spec.shardBy})) ${DISTRIBUTED_SETTINGS}`;
  return [createTable(local, spec, mergeTree(spec, cluster)), createTable(spec.name, spec, spread)];
}

/**
 * The statements that lay a table out again on one node, with the rows that it has. The table is itself until the
 * exchange and whole after it, so that they can begin again from the first at any time.
 */
export function rebuildStatements(spec: TableSpec, cluster: string | undefined): string[] {
  const local = cluster === undefined ? spec.name : spec.name + LOCAL_SUFFIX;
  const next = `${local}_next`;
  return [
    `DROP TABLE IF EXISTS ${next} SYNC`,
    createTable(next, spec, mergeTree(spec, cluster)),
    `INSERT INTO ${next} SELECT * FROM ${local}`,
    `EXCHANGE TABLES ${local} AND ${next}`,
    `DROP TABLE ${next} SYNC`,
  ];
}
