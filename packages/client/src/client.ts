import type { ChannelStatus, ClosedChannel, FoundChannels } from './channels/options.ts';
import { following } from './follow/following.ts';
import type { FollowedTopic, Following, FollowOptions } from './follow/options.ts';
import { Http, type HttpOptions, SECRET_HEADER } from './http.ts';
import type { OpenPayment } from './open-payments.ts';
import { problemOf } from './problems.ts';
import { type Approving, Purse } from './purse.ts';
import {
  type Answer,
  type CallOptions,
  type Failed,
  failed,
  type Receipt,
  type Reply,
  type Result,
} from './result.ts';
import { DATE_FIELDS, PATHS } from './route-facts.ts';
import type { Routes } from './routes.ts';
import { follow, type StreamEvent, type StreamOptions } from './stream.ts';
import { usdOf } from './usd.ts';
import type { WalletOptions } from './wallet-options.ts';

export interface ClientOptions<D extends boolean = false> extends HttpOptions {
  /** Address of the service: `https://data.example.com`. */
  readonly baseUrl: string;
  /** Without one nothing is paid. */
  readonly wallet?: WalletOptions | undefined;
  /** True gives times as `Date`. */
  readonly dates?: D | undefined;
}

export type RawResult =
  | { readonly ok: true; readonly reply: Reply; readonly receipt: Receipt | undefined }
  | Failed;

/** A Perpmeter: a function for every route, paid for within the caps of the wallet. None of them rejects. */
export interface Client<D extends boolean = false> extends Routes<D> {
  /** Any path of the service with its query, as bytes. @throws TypeError for an address of another host */
  request(path: string, options?: CallOptions): Promise<RawResult>;
  /** The rows of the preview and their changes, over broken connections, until its signal is aborted. */
  streamPreview(options?: StreamOptions): AsyncGenerator<StreamEvent, void, undefined>;
  /**
   * A paid stream: bought, read over broken connections and extended in time, until a cap, its signal or the caller ends it. The last event says
   * why it ended.
   */
  follow<T extends FollowedTopic = 'funding'>(options: FollowOptions<T>): Following<T>;
  /**
   * Sum of paid, promised and possibly paid amounts, USD as decimal text; earlier runs from the first purchase
   * on.
   */
  spentUsd(): string;
  /** True if a payment for this path is still without an outcome; the next call presents it again. */
  isOpen(path: string): boolean;
  /** The payment that the next call for this path presents again, for what outlives this client; undefined: none is open. */
  openPayment(path: string): OpenPayment | undefined;
  /** All channels that the wallet's store remembers. Rejects where it cannot be read. */
  channels(): Promise<readonly ChannelStatus[]>;
  /**
   * Has the seller give back the rest of a channel; where it does not, says what the payer has to send. Undefined for a channel
   * that the store does not know. Rejects where the store cannot be read or written.
   * @param id as `channels` gives it
   */
  closeChannel(id: string): Promise<ClosedChannel | undefined>;
  /**
   * Finds the payer's channels with this service that the store has lost, from the chain (`channels.chain`). Those whose key is here
   * are in the store again; of the others it says what the payer sends. Undefined without channels. Rejects where the service, the node or
   * the store does not answer.
   * @param path a path that is for sale; by default the funding of one asset
   */
  findChannels(path?: string): Promise<FoundChannels | undefined>;
}

/** Lists are sent with commas. */
type Asked = Readonly<Record<string, string | number | boolean | Date | readonly string[] | undefined>>;

const STREAM = '/v1/stream/preview';
const FOR_SALE = '/v1/funding/current?symbol=BTC';

/** A list keeps a comma also where it has one word, so that the answer is that to a list. */
function textOf(value: Asked[string]): string {
  if (Array.isArray(value)) return value.length === 1 ? `${value[0]},` : value.join();
  return value instanceof Date ? value.toISOString() : String(value);
}

/** The path of a call; what is in the template is no parameter of the query. */
function pathOf(template: string, asked: Asked): string {
  const inPath = new Set<string>();
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name);
    return encodeURIComponent(textOf(asked[name]));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) {
    if (value !== undefined && !inPath.has(name)) query.set(name, textOf(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

const DATE_NAMES: ReadonlySet<string> = new Set(DATE_FIELDS);
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** JSON with the fields that are times as `Date`. */
const parseDated = (text: string): unknown =>
  JSON.parse(text, (name, value: unknown) =>
    DATE_NAMES.has(name) && typeof value === 'string' && TIME.test(value) ? new Date(value) : value,
  );

function dataIn({ headers, body }: Reply, dates: boolean): unknown {
  const type = headers.get('content-type') ?? '';
  const text = () => new TextDecoder().decode(body);
  if (/json/.test(type)) return dates ? parseDated(text()) : JSON.parse(text());
  return type.startsWith('text/') && !type.startsWith('text/csv') ? text() : body;
}

function sourcesOf(headers: Headers): Answer<unknown>['sources'] {
  const names = (text = '') => text.split(',').filter((name) => name !== '');
  const [used, missing] = (headers.get('x-data-sources') ?? '').split(';');
  return { used: names(used), missing: names(missing) };
}

function answerOf(reply: Reply, receipt: Receipt | undefined, dates: boolean): Result<unknown, boolean> {
  try {
    const asOf = reply.headers.get('x-data-as-of') ?? undefined;
    return {
      ok: true,
      data: dataIn(reply, dates),
      sources: sourcesOf(reply.headers),
      receipt,
      reply,
      asOf: dates && asOf !== undefined ? new Date(asOf) : asOf,
    };
  } catch {
    const detail = 'What came is not the answer of this interface.';
    return failed({ code: 'unreadable', charged: receipt === undefined ? false : null, detail, reply });
  }
}

/** A client of one Perpmeter. */
export function createClient<const D extends boolean = false>(options: ClientOptions<D>): Client<D> {
  const { baseUrl, wallet, dates = false } = options;
  const { origin } = new URL(baseUrl);
  const http = new Http(options);
  const purse = wallet === undefined ? undefined : new Purse(http, baseUrl, wallet);
  const urlOf = (path: string): URL => {
    const url = new URL(path, baseUrl);
    if (url.origin !== origin) throw new TypeError(`${path} is of another host than ${origin}`);
    return url;
  };
  const request = async (path: string, call: Approving = {}): Promise<RawResult> => {
    const url = urlOf(path);
    const open = purse?.resume(url, call);
    if (open !== undefined) return open;
    const headers = call.secret === undefined ? {} : { [SECRET_HEADER]: call.secret };
    const sent = await http.get(url, call.signal, headers);
    if (sent.code !== 'replied') return failed(problemOf(sent));
    const { reply } = sent;
    if (reply.status >= 200 && reply.status < 300) return { ok: true, reply, receipt: undefined };
    if (reply.status !== 402) return failed(problemOf(reply));
    if (purse !== undefined) return purse.buy(url, reply, call);
    const detail = 'This answer is for sale, and the client has no wallet.';
    return failed({ code: 'payment_required', charged: false, detail, reply });
  };
  const routes = Object.entries(PATHS).map(([name, template]) => [
    name,
    async (asked: Asked = {}, call?: CallOptions) => {
      const got = await request(pathOf(template, asked), call);
      return got.ok ? answerOf(got.reply, got.receipt, dates) : got;
    },
  ]);
  return {
    // The functions are made from the same table as their types.
    ...(Object.fromEntries(routes) as Routes<D>),
    request,
    follow: (stream) => following({ http, baseUrl, request, purse, now: wallet?.now ?? Date.now }, stream),
    streamPreview: (stream) => follow(http, urlOf(STREAM), stream),
    spentUsd: () => usdOf(purse?.spent() ?? 0n),
    isOpen: (path) => purse?.open(urlOf(path)) !== undefined,
    openPayment: (path) => purse?.open(urlOf(path)),
    channels: async () => (await purse?.channels?.list()) ?? [],
    closeChannel: async (id) => purse?.channels?.close(id),
    findChannels: async (path = FOR_SALE) => purse?.channels?.find(path),
  };
}
