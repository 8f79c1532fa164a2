import type { Module } from '../../host/module.ts';
import type { SettingSpecs } from '../../host/settings/settings.ts';

const SETTINGS = {
  extraVenues: {
    flag: 'extra-venues',
    env: 'EXTRA_VENUES',
    type: 'list',
    notInDemo: true,
    about: 'further venues, read through the ccxt library: ccxt:bitfinex,coinex',
  },
} as const satisfies SettingSpecs;

/** Further venues, read through the ccxt library. */
export const ccxt: Module = {
  id: 'ccxt',
  settings: [{ after: 'venues', specs: SETTINGS }],
  venues: async (settings, { bases, native }) => {
    const { extraVenues = [] } = settings(SETTINGS);
    if (extraVenues.length === 0) return undefined;
    const { countedTwice, openExtraVenues } = await import('./extra-venues.ts');
    const errors: string[] = [];
    const opened = await openExtraVenues(extraVenues, bases, errors);
    return { ...opened, errors, warnings: countedTwice(opened, native) };
  },
};
