import type {
  HealthAnswer,
  PricingChangelogAnswer,
  VenuesHealthAnswer,
  VenuesListAnswer,
} from '../../packages/client/src/routes.ts';
import type { Answer } from './answer.ts';
import { useAnswer } from './answers.ts';

export type Venue = VenuesListAnswer[number];
export type VenueHealth = VenuesHealthAnswer[number];

/** The health of the service. It has grades of venues where a module makes them. */
export type Health = HealthAnswer & {
  readonly grades?: readonly { readonly venue: string; readonly grade: string | null }[];
};

/** A parameter of a route, by OpenAPI. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly description: string;
  readonly example?: unknown;
  readonly schema: {
    readonly type?: string | readonly string[];
    readonly enum?: readonly (string | number)[];
    readonly default?: unknown;
    readonly minimum?: number;
    readonly maximum?: number;
    readonly format?: string;
  };
}

export interface RouteEntry extends PriceEntry {
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly 'x-payment-info'?: { readonly price: { readonly amount: string } };
}

interface OpenApi {
  readonly servers?: readonly { readonly url: string }[];
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
}

export const useHealth = (everyMs = 5000): Answer<Health> => useAnswer<Health>('/v1/health', everyMs);
export const useVenues = (): Answer<readonly Venue[]> =>
  useAnswer<readonly Venue[]>('/v1/venues/list', 60_000);
export const useVenueHealth = (everyMs = 5000): Answer<readonly VenueHealth[]> =>
  useAnswer<readonly VenueHealth[]>('/v1/venues/health', everyMs);

/** A path with its price. */
export interface PriceEntry {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  /** In US dollars as the price list writes it; undefined = free. */
  readonly usd: string | undefined;
}

/** The document of all prices. */
export const PRICES = '/v1/pricing/changelog';

/** All paths with their prices, without the parameters that {@link useRoutes} has: a hundredth of its bytes. */
export function usePrices(): Answer<readonly PriceEntry[]> {
  const document = useAnswer<PricingChangelogAnswer>(PRICES);
  if (document.state !== 'ready') return document;
  const { prices, free } = document.body;
  return { ...document, body: [...prices, ...free.map((path) => ({ ...path, usd: undefined }))] };
}

/** The route table, as its OpenAPI document says it. */
export function useRoutes(): Answer<readonly RouteEntry[]> {
  const document = useAnswer<OpenApi>('/openapi.json');
  if (document.state !== 'ready') return document;
  return { ...document, body: routesOf(document.body) };
}

/** The public address of the service as it says it, whatever address this page was opened at; undefined until it is known. */
export function useServiceAddress(): string | undefined {
  const document = useAnswer<OpenApi>('/openapi.json');
  return document.state === 'ready' ? document.body.servers?.[0]?.url : undefined;
}

function routesOf({ paths }: OpenApi): readonly RouteEntry[] {
  return Object.entries(paths).map(([path, { get }]) => ({
    id: get.operationId,
    path,
    summary: get.summary,
    description: get.description,
    tags: get.tags,
    parameters: get.parameters ?? [],
    usd: get['x-payment-info']?.price.amount,
  }));
}
