import type { SchemeEntry } from '../entry.ts';
import { CHANNEL_FORMAT } from './format.ts';
import { channelOffer } from './offer.ts';

/** The scheme `batch-settlement`: sales by payment channel. */
export const batchSettlement: SchemeEntry = {
  offer: ({ seller, channels }) => channels && channelOffer(seller, channels),
  format: CHANNEL_FORMAT,
  setting: 'CHANNEL_AUTHORIZER_KEY',
  open: async (options) => (await import('./open.ts')).openChannels(options),
};
