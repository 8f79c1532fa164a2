import type { SettingSpecs } from '../../host/settings/settings.ts';

export const SETTINGS = {
  record: {
    flag: 'record',
    env: 'RECORD',
    type: 'list',
    // As much as waits at most is packed and written before the last segment is closed.
    stopMs: 30_000,
    about:
      'record what venues send, as it came: all, or kinds (books, tickers, instruments, history) and venues, comma separated; without it nothing is recorded',
  },
  recordDir: {
    flag: 'record-dir',
    env: 'RECORD_DIR',
    type: 'text',
    notInDemo: true,
    about: 'folder of recordings; default: recordings in the data folder',
  },
  recordSegmentMb: {
    flag: 'record-segment-mb',
    env: 'RECORD_SEGMENT_MB',
    type: 'integer',
    fallback: '128',
    minimum: 1,
    maximum: 1024,
    about: 'size at which a recorded segment is closed, MB; it is closed after an hour in any case',
  },
  recordDays: {
    flag: 'record-days',
    env: 'RECORD_DAYS',
    type: 'integer',
    fallback: '7',
    minimum: 1,
    maximum: 3650,
    about: 'days for which recordings are kept',
  },
  recordGb: {
    flag: 'record-gb',
    env: 'RECORD_GB',
    type: 'integer',
    fallback: '100',
    minimum: 1,
    maximum: 100_000,
    about: 'size of all recordings, GB: the oldest segments beyond it are removed',
  },
  recordMinFreeMb: {
    flag: 'record-min-free-mb',
    env: 'RECORD_MIN_FREE_MB',
    type: 'integer',
    fallback: '2048',
    minimum: 0,
    maximum: 1_000_000,
    about: 'room on the disk that recording leaves to everything else, MB: it pauses with less',
  },
} as const satisfies SettingSpecs;

/** Settings of commands that read recordings. */
export const PLACE = ['dataDir', 'recordDir'] as const;
