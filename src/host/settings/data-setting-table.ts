import { DEFAULT_RETENTION } from '../../history/retention.ts';
import type { SettingSpec } from './setting-spec.ts';

/** Settings of collecting, keeping and checking data. */
export const DATA_SETTINGS = {
  venues: {
    flag: 'venues',
    env: 'VENUES',
    type: 'list',
    about: 'venues to collect, comma separated; all without it',
  },
  venueBases: {
    flag: 'venue-bases',
    env: 'VENUE_BASES',
    type: 'text',
    secret: true,
    about: 'JSON of other base addresses, {"binance":{"rest":"https://…"}}: mirrors or simulated venues',
  },
  booksPerVenue: {
    flag: 'books-per-venue',
    env: 'BOOKS_PER_VENUE',
    type: 'integer',
    fallback: '100',
    minimum: 0,
    maximum: 5000,
    about:
      'order books streamed from each venue, the most traded first; the others are read in turn over REST',
  },
  history: {
    flag: 'history',
    env: 'HISTORY',
    type: 'text',
    fallback: 'on',
    choices: ['on', 'off'],
    about: 'keep samples and settlements, and serve the historical endpoints',
  },
  clickhouseUrl: {
    flag: 'clickhouse-url',
    env: 'CLICKHOUSE_URL',
    type: 'list',
    notInDemo: true,
    secret: true,
    about:
      'ClickHouse that keeps the history, http://user:secret@host:8123; the nodes of a cluster comma separated; without it the embedded engine does, in the data folder',
  },
  clickhouseCluster: {
    flag: 'clickhouse-cluster',
    env: 'CLICKHOUSE_CLUSTER',
    type: 'text',
    notInDemo: true,
    about: "name of the cluster in the servers' own configuration, where there are several",
  },
  clickhouseDatabase: {
    flag: 'clickhouse-database',
    env: 'CLICKHOUSE_DATABASE',
    type: 'text',
    notInDemo: true,
    fallback: 'perpmeter',
    about: 'database of the history',
  },
  sampleDays: {
    flag: 'history-sample-days',
    env: 'HISTORY_SAMPLE_DAYS',
    type: 'integer',
    fallback: String(DEFAULT_RETENTION.sampleDays),
    minimum: 1,
    maximum: 3650,
    about: 'days for which one-minute samples are kept',
  },
  rollUpDays: {
    flag: 'history-rollup-days',
    env: 'HISTORY_ROLLUP_DAYS',
    type: 'integer',
    fallback: String(DEFAULT_RETENTION.rollUpDays),
    minimum: 1,
    maximum: 36500,
    about: 'days for which hourly roll-ups, funding payments and gaps are kept',
  },
  historyMinFreeMb: {
    flag: 'history-min-free-mb',
    env: 'HISTORY_MIN_FREE_MB',
    type: 'integer',
    fallback: '512',
    minimum: 0,
    maximum: 1_000_000,
    about:
      'megabytes of the disk that the embedded history leaves free: with less it is read-only, and the ledger of payments still has room',
  },
} as const satisfies Record<string, SettingSpec>;
