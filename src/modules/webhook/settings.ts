import type { SettingSpecs } from '../../host/settings/settings.ts';

export const SETTINGS = {
  watchLoopback: {
    flag: 'watch-loopback',
    env: 'WATCH_LOOPBACK',
    type: 'text',
    fallback: 'off',
    choices: ['off', 'on'],
    about:
      'whether webhooks of watches may go to this machine, also over http: for trying them out, never in public',
  },
} as const satisfies SettingSpecs;
