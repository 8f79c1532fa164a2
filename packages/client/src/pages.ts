import type { Client } from './client.ts';
import type { As } from './result.ts';
import { type CallOptions, dataOf, PerpmeterError, type Result } from './result.ts';
import type {
  FundingCurrentAnswer,
  FundingCurrentAsked,
  X402DiscoveryResourcesAnswer,
  X402DiscoveryResourcesAsked,
} from './routes.ts';

const DAY_MS = 86_400_000;

interface Window {
  readonly from?: string | Date | undefined;
  readonly to?: string | Date | undefined;
}

/**
 * A long span of history, in windows of so many days, the oldest first. Each is a purchase of its own; what the service
 * knows nothing of is left out.
 * @param days the longest that the route takes at a time, as its `invalid_parameter` says
 * @throws PerpmeterError where a window cannot be had
 */
export async function* windows<A extends Window, T>(
  call: (asked: A, options?: CallOptions) => Promise<Result<T, boolean>>,
  asked: A & { readonly from: string | Date; readonly to: string | Date },
  days: number,
  options?: CallOptions,
): AsyncGenerator<T, void, undefined> {
  const end = new Date(asked.to).getTime();
  for (let from = new Date(asked.from).getTime(); from < end; from += days * DAY_MS) {
    const to = new Date(Math.min(from + days * DAY_MS, end));
    const result = await call({ ...asked, from: new Date(from), to }, options);
    if (result.ok) yield result.data;
    else if (result.problem.code !== 'no_data') throw new PerpmeterError(result.problem);
  }
}

/** All pages of the live funding rates; each is a purchase of its own. @throws PerpmeterError */
export async function* ratePages<D extends boolean>(
  client: Client<D>,
  asked: FundingCurrentAsked = {},
  options?: CallOptions,
): AsyncGenerator<As<D, FundingCurrentAnswer>, void, undefined> {
  for (let offset = asked.offset ?? 0; ; ) {
    const page = await dataOf(client.fundingCurrent({ ...asked, offset }, options));
    yield page;
    const { rates, has_more } = page as FundingCurrentAnswer;
    if (!has_more) return;
    offset += rates.length;
  }
}

/** All pages of the catalog. @throws PerpmeterError */
export async function* catalogPages<D extends boolean>(
  client: Client<D>,
  asked: X402DiscoveryResourcesAsked = {},
  options?: CallOptions,
): AsyncGenerator<As<D, X402DiscoveryResourcesAnswer>, void, undefined> {
  for (let offset = asked.offset ?? 0; ; ) {
    const page = await dataOf(client.x402DiscoveryResources({ ...asked, offset }, options));
    yield page;
    const { items, pagination } = page as X402DiscoveryResourcesAnswer;
    offset += items.length;
    if (items.length === 0 || offset >= pagination.total) return;
  }
}
