import { type Requirement, sameAddress } from './challenge.ts';
import type { Http } from './http.ts';
import { jsonOf } from './problems.ts';
import { PATHS } from './route-facts.ts';

interface Listed {
  readonly path: RegExp;
  readonly accepts: readonly Partial<Requirement>[];
}

const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry !== null) : [];

/** The path of an item as a pattern: `{symbol}` is any one part. */
function patternOf(resource: unknown): RegExp | undefined {
  const path = /^https?:\/\/[^/]+(\/[^?#]*)$/.exec(String(resource))?.[1];
  if (path === undefined) return undefined;
  const parts = path.split(/\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}

const isAsked = (listed: Partial<Requirement>, asked: Requirement): boolean =>
  listed.scheme === asked.scheme &&
  listed.network === asked.network &&
  listed.amount === asked.amount &&
  sameAddress(String(listed.asset), asked.asset) &&
  sameAddress(String(listed.payTo), asked.payTo);

/** The terms that the service lists. */
export class Catalog {
  readonly #http: Http;
  readonly #url: URL;
  #held: Promise<readonly Listed[]> | undefined;

  constructor(http: Http, baseUrl: string) {
    this.#http = http;
    this.#url = new URL(`${PATHS.x402DiscoveryResources}?type=http&limit=1000`, baseUrl);
  }

  /** True if a path is listed on these terms. A cached catalog may be out of date: then it is read again. */
  async lists(path: string, asked: Requirement, signal: AbortSignal | undefined): Promise<boolean> {
    const known = this.#held;
    if (known !== undefined && isListed(await known, path, asked)) return true;
    this.#held = this.#read(signal);
    return isListed(await this.#held, path, asked);
  }

  async #read(signal: AbortSignal | undefined): Promise<readonly Listed[]> {
    const sent = await this.#http.get(this.#url, signal);
    if (sent.code !== 'replied' || sent.reply.status !== 200) return [];
    return listOf(jsonOf(sent.reply).items).flatMap(({ resource, accepts }) => {
      const path = patternOf(resource);
      return path === undefined ? [] : [{ path, accepts: listOf(accepts) }];
    });
  }
}

const isListed = (listed: readonly Listed[], path: string, asked: Requirement): boolean =>
  listed.some((item) => item.path.test(path) && item.accepts.some((accept) => isAsked(accept, asked)));
