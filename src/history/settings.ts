import type { ConnectionRole } from './store.ts';

type Settings = Readonly<Record<string, string | number>>;

/** Bounds of every statement: the engine shares the machine with the event loop. */
const COMMON: Settings = {
  max_threads: 1,
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_decimals: 0,
  // All rows of an asset are on one shard: a question about it goes there alone.
  optimize_skip_unused_shards: 1,
  optimize_distributed_group_by_sharding_key: 1,
};

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/**
 * Start arguments of the embedded engine, beside its own settings for a server with a machine to itself.
 * Threads that have nothing to do are ended: each keeps some hundred kilobytes. Caches hold what is asked again
 * and again.
 */
export const ENGINE_ARGUMENTS: readonly string[] = Object.entries({
  max_thread_pool_free_size: 0,
  max_active_parts_loading_thread_pool_size: 2,
  max_outdated_parts_loading_thread_pool_size: 1,
  max_parts_cleaning_thread_pool_size: 1,
  max_io_thread_pool_size: 4,
  mark_cache_size: 16 * MIB,
  primary_index_cache_size: 16 * MIB,
  index_mark_cache_size: 4 * MIB,
  query_condition_cache_size: 4 * MIB,
  compiled_expression_cache_size: 8 * MIB,
}).map(([name, value]) => `--${name}=${value}`);

/** Settings of the statements of a role; memory in bytes, time in seconds. */
export const ROLE_SETTINGS: Readonly<Record<ConnectionRole, Settings>> = {
  read: { ...COMMON, max_memory_usage: GIB, max_execution_time: 20 },
  write: { ...COMMON, max_memory_usage: GIB, max_execution_time: 60, input_format_parallel_parsing: 0 },
  maintain: { ...COMMON, max_memory_usage: 2 * GIB, max_execution_time: 900 },
  control: { ...COMMON, max_memory_usage: GIB, max_execution_time: 20 },
};

/**
 * The number of concurrent statements of a role. Each holds a thread of the pool that Node.js shares with zlib
 * and DNS.
 */
export const ROLE_CLIENTS: Readonly<Record<ConnectionRole, number>> = {
  read: 2,
  write: 1,
  maintain: 1,
  control: 1,
};

export const CONNECTION_ROLES: readonly ConnectionRole[] = ['read', 'write', 'maintain', 'control'];

/** As statements, for an engine that keeps them per session. */
export function setStatements(role: ConnectionRole): string {
  return Object.entries(ROLE_SETTINGS[role])
    .map(([name, value]) => `SET ${name} = ${value}`)
    .join('; ');
}
