import type { Module } from '../../host/module.ts';
import type { SettingSpecs } from '../../host/settings/settings.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';

const SETTINGS = {
  secondReaderMinutes: {
    flag: 'second-reader-minutes',
    env: 'SECOND_READER_MINUTES',
    type: 'integer',
    fallback: '5',
    minimum: 0,
    maximum: 60,
    about:
      "minutes between two second readings of a major asset's contract, on another call of its venue; all others once a day; 0 asks nothing a second time",
  },
  secondReaderCcxt: {
    flag: 'second-reader-ccxt',
    env: 'SECOND_READER_CCXT',
    type: 'text',
    choices: ['on', 'off'],
    fallback: 'on',
    about:
      'ccxt, where it is installed, reads a second time what a venue states in one call alone, in a process of its own of some 200 MB that is started ten minutes after the service',
  },
} as const satisfies SettingSpecs;

/** Measures the data: values on another way of the venue, payments beside the rates shown before them, ages. */
export const secondReader: Module = {
  id: 'second-reader',
  settings: [{ after: 'historyMinFreeMb', specs: SETTINGS }],
  products: async () => {
    const [{ dataQualityAccuracy }, { dataQualityLatency }] = await Promise.all([
      import('./data-quality-accuracy.ts'),
      import('./data-quality-latency.ts'),
    ]);
    return {
      products: [
        { product: dataQualityAccuracy, after: 'health' },
        { product: dataQualityLatency, after: 'data-quality-accuracy' },
      ],
    };
  },
  viewSections: async () => (await import('./views.ts')).VIEW_SECTIONS,
  open: async (host) => {
    const { secondReaderMinutes: minutes, secondReaderCcxt: ccxt } = host.settings(SETTINGS);
    const { openSecondReader } = await import('./open-second-reader.ts');
    return openSecondReader(host, { everyMs: minutes * MINUTE_MS, readsByCcxt: ccxt === 'on' });
  },
};
