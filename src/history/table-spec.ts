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
}

/**
 * Written twice is stored once: identical blocks are recognised by their content. What has been acknowledged is on
 * the disk.
 */
const MERGE_TREE_SETTINGS =
  'SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 1000';
const DISTRIBUTED_SETTINGS = 'SETTINGS fsync_after_insert = 1, fsync_directories = 1';

function createTable(name: string, spec: TableSpec, engine: string): string {
  return `CREATE TABLE IF NOT EXISTS ${name} (\n  ${spec.columns.join(',\n  ')}\n) ${engine}`;
}

function mergeTree({ partitionBy, primaryKey, revisionKey }: TableSpec): string {
  const key = `PRIMARY KEY (${primaryKey}) ORDER BY (${primaryKey}, ${revisionKey})`;
  return `ENGINE = MergeTree PARTITION BY ${partitionBy} ${key} ${MERGE_TREE_SETTINGS}`;
}

/**
 * The statements that make a table on one node.
 *
 * @param cluster name of the cluster whose shards share the rows; undefined = this node has them all
 */
export function tableStatements(spec: TableSpec, database: string, cluster: string | undefined): string[] {
  if (cluster === undefined) return [createTable(spec.name, spec, mergeTree(spec))];
  const local = spec.name + LOCAL_SUFFIX;
  const spread = `ENGINE = Distributed('${cluster}', '${database}', '${local}', cityHash64(${spec.shardBy})) ${DISTRIBUTED_SETTINGS}`;
  return [createTable(local, spec, mergeTree(spec)), createTable(spec.name, spec, spread)];
}
