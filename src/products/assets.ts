import Type, { type Static } from 'typebox';
import { ok } from '../domain/errors.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import { assetClass, canonicalIdName, integer, tickerName } from './answer/schema.ts';
import { defineProduct, type Ports } from './define-product.ts';
import example from './examples/assets.json' with { type: 'json' };
import { type ListedAsset, listedAssets, meantAssets } from './rows/asset-list.ts';

const asset = Type.Object({
  canonical_id: canonicalIdName,
  ticker: tickerName,
  asset_class: assetClass,
  names: Type.Array(Type.String(), { description: 'What people call it, lower case' }),
  aliases: Type.Array(Type.String(), { description: 'Further tickers that mean it, former ones among them' }),
  venues: Type.Array(Type.String(), { description: 'Venues that list it' }),
});

const answer = Type.Object({
  assets: Type.Array(asset, { description: 'Those on most venues first' }),
  total: integer('Assets that match'),
});

export const assetsList = defineProduct({
  id: 'assets',
  path: '/v1/assets',
  access: 'free',
  summary: 'All assets',
  description:
    'All assets that a venue lists, with ticker, canonical_id, class, the names that people call them by, aliases and venues; or those that a text means: BTCUSDT, bitcoin, 1000PEPE, gold. Up to a minute late.',
  tags: ['venues'],
  dependsOn: 'second',
  revisedAt: '2026-11-29T10:30:00.000Z',
  query: Type.Object({
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        examples: ['bitcoin'],
        description: 'Name, ticker, alias or contract, or its beginning',
      }),
    ),
  }),
  answer,
  example: { request: '/v1/assets?q=bitcoin', answer: example },
  compute: ({ q }, ports) => {
    const all = assetsOfMinute(ports);
    const found = q === undefined ? all : meantAssets(ports.market, all, q);
    return ok({ body: { assets: found.map(written), total: found.length } });
  },
});

interface MinuteOfAssets {
  readonly minute: number;
  readonly assets: readonly ListedAsset[];
}

/** The list of a market's last minute: to go through all contracts for each request would cost too much. */
const lists = new WeakMap<Ports['market'], MinuteOfAssets>();

function assetsOfMinute({ market, clock }: Ports): readonly ListedAsset[] {
  const minute = Math.floor(clock.now() / MINUTE_MS);
  const known = lists.get(market);
  if (known?.minute === minute && known.assets.length > 0) return known.assets;
  const assets = listedAssets(market);
  lists.set(market, { minute, assets });
  return assets;
}

const written = (listed: ListedAsset): Static<typeof asset> => ({
  canonical_id: listed.canonicalId,
  ticker: listed.ticker,
  asset_class: listed.assetClass,
  names: [...listed.names],
  aliases: [...listed.aliases],
  venues: [...listed.venues],
});
