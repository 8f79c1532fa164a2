import { embeddedFeed, embeddedLeases } from '../../src/feed/embedded.ts';
import { feedPortSuite } from './feed-port.ts';

feedPortSuite('embedded', {
  leases: async () => embeddedLeases(),
  feed: async () => embeddedFeed(),
  // One process: what collects is what sells.
  seller: async (collector) => collector,
  close: async () => {},
});
