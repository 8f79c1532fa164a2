import { type Failure, ok, type Result } from '../../domain/errors.ts';
import type { Route } from '../route.ts';
import { withInstead } from './instead.ts';
import { type PathMatch, pathMatcher } from './match.ts';
import type { RawParameters } from './parameters.ts';

type Input = Result<Readonly<Record<string, unknown>>>;

/** A request address that belongs to a route, with what was already worked out about it. */
export class Target {
  readonly route: Route;
  readonly path: string;
  readonly #match: PathMatch<Route>;
  readonly #search: string;
  readonly #secret: string | undefined;
  #input: Input | undefined;
  #key: string | undefined;
  #resource: string | undefined;
  #page: Target | undefined;

  /** @param secret that the request carries for a route that takes one */
  constructor(match: PathMatch<Route>, path: string, search: string, secret?: string) {
    this.route = match.route;
    this.path = path;
    this.#match = match;
    this.#search = search;
    this.#secret = secret;
  }

  /** The same address with the secret of one request; the target itself where its route takes none. */
  withSecret(secret: string | undefined): Target {
    if (this.route.takesSecret !== true || secret === undefined) return this;
    return new Target(this.#match, this.path, this.#search, secret);
  }

  /** The parameters read by the route's schemas, or all their faults. */
  input(): Input {
    this.#input ??= this.#read();
    return this.#input;
  }

  #read(): Input {
    const input = this.route.read(this.#match.path, [...new URLSearchParams(this.#search)]);
    return input.ok && this.#secret !== undefined ? ok({ ...input.value, secret: this.#secret }) : input;
  }

  /** The reason for the refusal, with the nearest request that is served. */
  helped(failure: Failure, isServed: (asked: Readonly<Record<string, unknown>>) => Result<unknown>): Failure {
    return withInstead(this.route, this.sent, failure, isServed);
  }

  /** The parameters as they were sent. */
  get sent(): { readonly path: RawParameters; readonly query: RawParameters } {
    return { path: this.#match.path, query: [...new URLSearchParams(this.#search)] };
  }

  /** Name of the question: equal for requests that differ only in spelling. */
  key(): string {
    if (this.#key !== undefined) return this.#key;
    const input = this.input();
    const names = [...this.route.pathParameters.keys(), ...this.route.queryParameters.keys()];
    const values = input.ok ? names.map((name) => input.value[name] ?? null) : [this.#search];
    this.#key = `${this.route.id} ${JSON.stringify(values)}`;
    return this.#key;
  }

  /** The target for a client that prefers a page: the same as a page, where the query names no format. */
  asPage(): Target {
    if (this.#search !== '') return this;
    this.#page ??= new Target(this.#match, this.path, 'format=html');
    return this.#page;
  }

  /** Path and query with sorted parameters: what a payment is bound to. */
  resource(): string {
    if (this.#resource !== undefined) return this.#resource;
    const query = new URLSearchParams(this.#search);
    query.sort();
    const text = query.toString();
    this.#resource = text === '' ? this.path : `${this.path}?${text}`;
    return this.#resource;
  }
}

const MAX_TARGETS = 4096;
const MAX_CACHED_LENGTH = 512;
const ABSOLUTE = /^https?:\/\/[^/?#]*/i;

/** Finds the route of a request address. Addresses asked again are not taken apart again. */
export class Targets {
  readonly #match: (path: string) => PathMatch<Route> | undefined;
  readonly #known = new Map<string, Target>();

  constructor(routes: readonly Route[]) {
    this.#match = pathMatcher(routes);
  }

  /** The target of a raw request address, or undefined where no route has exactly this path. */
  find(address: string): Target | undefined {
    return this.#known.get(address) ?? this.#learn(address);
  }

  #learn(address: string): Target | undefined {
    const origin = address.startsWith('/') ? address : address.replace(ABSOLUTE, '');
    const mark = origin.indexOf('?');
    const path = mark < 0 ? origin : origin.slice(0, mark);
    const match = this.#match(path);
    if (match === undefined) return undefined;
    const target = new Target(match, path, mark < 0 ? '' : origin.slice(mark + 1));
    if (address.length <= MAX_CACHED_LENGTH) this.#keep(address, target);
    return target;
  }

  #keep(address: string, target: Target): void {
    if (this.#known.size >= MAX_TARGETS) {
      const oldest = this.#known.keys().next();
      if (!oldest.done) this.#known.delete(oldest.value);
    }
    this.#known.set(address, target);
  }
}
