import type { FeedPlace } from '../../feed/ports.ts';
import type { Module } from '../../host/module.ts';
import type { SettingSpecs } from '../../host/settings/settings.ts';
import { reasonOf } from '../../runtime/reason-of.ts';

const SETTINGS = {
  natsUrl: {
    flag: 'nats-url',
    env: 'NATS_URL',
    type: 'text',
    notInDemo: true,
    secret: true,
    about:
      'NATS server that carries what collectors read to who sells, nats://user:password@host:4222, tls:// for TLS; the servers of a cluster comma separated; without it all is in this process',
  },
} as const satisfies SettingSpecs;

const isAddress = (url: string): boolean =>
  URL.canParse(url) && ['nats:', 'tls:'].includes(new URL(url).protocol);

/**
 * The feed over these servers, whose client is loaded when it is opened.
 *
 * @param url nats://user:password@host:4222, tls:// for TLS; the servers of a cluster comma separated
 */
const feedOver = (url: string): FeedPlace => ({
  kind: 'nats',
  async open({ clock, logger }) {
    const { openNatsFeed } = await import('./nats/nats-feed.ts');
    try {
      const feed = await openNatsFeed({ url, clock, logger });
      return { feed, lease: feed.historyLease() };
    } catch (cause) {
      throw new Error(`the server of the feed (NATS_URL) does not answer: ${reasonOf(cause)}`);
    }
  },
});

/** Collectors, sellers and recorders as processes of their own, over NATS with a fenced lease a venue. */
export const cluster: Module = {
  id: 'cluster',
  settings: [{ after: 'role', specs: SETTINGS }],
  check: (settings) => {
    const { natsUrl } = settings(SETTINGS);
    if (natsUrl === undefined || natsUrl.split(',').every(isAddress)) return [];
    return ['NATS_URL must be nats://host:4222 or tls://host:4222, several comma separated'];
  },
  seams: (settings) => {
    const { natsUrl } = settings(SETTINGS);
    return natsUrl === undefined ? {} : { feed: feedOver(natsUrl) };
  },
};
