import type { Module } from '../../host/module.ts';
import { spotIsOff } from '../spot-market/settings.ts';

/** Spot on the page: a table of carry, the spot markets of an asset, and a spot leg of a pair. */
export const carryView: Module = {
  id: 'carry-view',
  off: spotIsOff,
  needs: ['spot-market', 'cash-carry', 'spot-history'],
  views: async () => (await import('./views.ts')).VIEWS,
  viewSections: async () => (await import('./views.ts')).VIEW_SECTIONS,
};
