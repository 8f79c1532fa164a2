import { createFreeLimiter } from '../api/free-limits.ts';
import { readPageFiles } from '../api/page/page-files.ts';
import { type Api, type ApiOptions, createApi } from '../api/server.ts';
import { storeState } from '../api/store-state.ts';
import type { LoadWatch } from '../collect/load-watch.ts';
import type { Clock } from '../domain/clock.ts';
import type { History } from '../history/history.ts';
import { offersOf } from '../pay/schemes/list.ts';
import type { IndexWatch } from '../products/oracles/index-watch.ts';
import { type MarketData, rolesOf, type Stores } from './collection.ts';
import type { ServiceOptions } from './options.ts';
import type { PricedApi } from './priced-api.ts';

export interface PublicApiParts {
  readonly options: ServiceOptions;
  readonly clock: Clock;
  readonly priced: PricedApi;
  readonly stores: Stores;
  readonly marketData: MarketData;
  readonly history: History | undefined;
  readonly indexes: IndexWatch;
  readonly load: LoadWatch;
}

/** Puts the routes, the page and what modules mount over what is collected, kept and sold. */
export function createPublicApi(
  parts: PublicApiParts,
  given: Required<
    Pick<ApiOptions, 'report' | 'mounts' | 'streams' | 'operatorHandlers' | 'readPort' | 'isStopping'>
  >,
): Api {
  const { options, clock, priced, stores, marketData, history, indexes, load } = parts;
  const { version, data, trustProxy, freePerSecond, connectionLimits } = options;
  const { baseUrl, serviceName: name } = options.payments;
  const { routes, soldHeaders, payments } = priced;
  const page = readPageFiles();
  return createApi({
    routes,
    soldHeaders,
    clock,
    trustProxy,
    ...given,
    health: marketData.health,
    paywall: payments.paywall,
    ...(page !== undefined && { page }),
    market: marketData.market.view,
    books: marketData.books.view,
    indexMoves: () => indexes.moves,
    load: () => load.state(),
    ...(history !== undefined && { store: () => storeState(history), history }),
    feed: () => stores.feed.state(),
    identities: () => stores.store.place(),
    payments: paymentInfo(options, priced),
    service: { baseUrl, name, version, data, roles: [...rolesOf(options)], startedAt: clock.now() },
    ...(connectionLimits !== undefined && { connectionLimits }),
    ...(freePerSecond !== undefined && { limiter: createFreeLimiter(clock, freePerSecond) }),
  });
}

function paymentInfo(
  { payments: config }: ServiceOptions,
  { prices, payments }: PricedApi,
): ApiOptions['payments'] {
  return {
    prices,
    seller: config.mode === 'off' ? undefined : config.seller,
    offers: config.mode === 'off' ? [] : offersOf(config),
    health: () => payments.health(),
  };
}
