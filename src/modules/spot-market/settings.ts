import type { ReadSettings } from '../../host/module.ts';
import type { SettingSpecs } from '../../host/settings/settings.ts';

export const SETTINGS = {
  spot: {
    flag: 'spot',
    env: 'SPOT',
    type: 'text',
    choices: ['on', 'off'],
    fallback: 'on',
    about: 'the spot side of the venues: touches, volume and borrow rates; off asks and sells none of it',
  },
} as const satisfies SettingSpecs;

/** Undefined where spot is on; else what would turn it on. */
export const spotIsOff = (settings: ReadSettings): string | undefined =>
  settings(SETTINGS).spot === 'off' ? '--spot (PERPMETER_SPOT) on turns it on' : undefined;
