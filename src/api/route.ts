import type { LoadState } from '../collect/load-watch.ts';
import { ok, type Result } from '../domain/errors.ts';
import type { UnixMs } from '../domain/units.ts';
import type { FeedState, Role } from '../feed/ports.ts';
import type { IdentityStoreState } from '../market/stores.ts';
import type { ToolListing } from '../pay/bazaar.ts';
import type { Ports, Product } from '../products/define-product.ts';
import type { SoldHeader } from './documents/sold-header.ts';
import type { PaymentInfo } from './payments.ts';
import type { Declared } from './request/declared.ts';
import { asInExample } from './request/example.ts';
import { declaredParameters, type RawParameters, readParameters } from './request/parameters.ts';
import type { StoreState } from './store-state.ts';

/** Facts about the service that its documents state. */
export interface ServiceInfo {
  /** Public address, without a trailing slash: never taken from a request. */
  readonly baseUrl: string;
  readonly name: string;
  readonly version: string;
  /** `live` if the venues behind the data are real. */
  readonly data: 'live' | 'simulated';
  readonly startedAt: UnixMs;
  /** Roles of this process; default all. */
  readonly roles?: readonly Role[];
}

/** All inputs of a route: the products' ports, and the sources of the service's documents. */
export interface Services extends Ports {
  readonly payments: PaymentInfo;
  readonly service: ServiceInfo;
  readonly routes: readonly Route[];
  /** Headers that modules add to sold answers. */
  readonly soldHeaders: readonly SoldHeader[];
  /** Tools of `/mcp`, where it is served. */
  readonly tools?: readonly ToolListing[];
  readonly store?: () => StoreState;
  /** The load of the machine, if it is watched. */
  readonly load?: () => LoadState;
  /** True while the service shuts down. */
  readonly isStopping?: () => boolean;
  /** The feed between collectors and sellers. */
  readonly feed?: () => FeedState;
  /** The state of the store of identities. */
  readonly identities?: () => IdentityStoreState;
}

/** A product, or a document of the service, with its parameters as the service reads them. */
export interface Route extends Product<Services> {
  readonly queryParameters: ReadonlyMap<string, Declared>;
  readonly pathParameters: ReadonlyMap<string, Declared>;
  /** Reads text into the declared types. */
  readonly read: (path: RawParameters, query: RawParameters) => Result<Readonly<Record<string, unknown>>>;
}

export function routeOf(product: Product<Services>): Route {
  const { path, params, query, example } = product;
  const declared = { path: declaredParameters(params), query: declaredParameters(query) };
  const { path: pathParameters, query: queryParameters } =
    example === undefined ? declared : asInExample(declared, path, example.request);
  return {
    ...product,
    pathParameters,
    queryParameters,
    read: (inPath, inQuery) => {
      const fromPath = readParameters(pathParameters, inPath);
      if (!fromPath.ok) return fromPath;
      const fromQuery = readParameters(queryParameters, inQuery);
      return fromQuery.ok ? ok({ ...fromQuery.value, ...fromPath.value }) : fromQuery;
    },
  };
}
