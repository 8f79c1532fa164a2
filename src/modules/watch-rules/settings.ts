import type { SettingSpecs } from '../../host/settings/settings.ts';

export const SETTINGS = {
  watchRules: {
    flag: 'watch-rules',
    env: 'WATCH_RULES',
    type: 'text',
    about:
      "path of a file of the operator's own watches (watches.yml), which cost nothing and are watched as long as they are in it",
  },
} as const satisfies SettingSpecs;
