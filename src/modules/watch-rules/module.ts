import type { Module } from '../../host/module.ts';
import { SETTINGS } from './settings.ts';

/** The operator's own watches, from a file: they cost nothing, and are watched as long as they are in it. */
export const watchRules: Module = {
  id: 'watch-rules',
  needs: ['tables', 'watch', 'watch-conditions', 'webhook'],
  settings: [{ after: 'watchLoopback', specs: SETTINGS }],
  check: async (settings) => {
    const { watchRules: path } = settings(SETTINGS);
    if (path === undefined) return [];
    const { rulesFileFaults } = await import('./rules.ts');
    return rulesFileFaults(path).map((fault) => `WATCH_RULES: ${path}: ${fault}`);
  },
  open: async (host) => (await import('./open-rules.ts')).openRules(host),
};
