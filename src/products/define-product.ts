import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { HealthBoard } from '../collect/ports.ts';
import type { Clock } from '../domain/clock.ts';
import { ok, type Result } from '../domain/errors.ts';
import type { VenueId } from '../domain/venue.ts';
import type { HistoryReader } from '../history/reader.ts';
import type { BookView } from '../market/books/book-view.ts';
import type { RowSnapshots } from '../market/row-snapshots.ts';
import type { MarketView } from '../market/view.ts';
import type { Port, ReadPort } from '../runtime/port.ts';
import { type PlainAnswer, type RenderedAnswer, withRenamed } from './answer/product-answer.ts';
import { renamedBy, renamedSchema } from './answer/renamed.ts';
import type { IndexMoves } from './oracles/index-moves.ts';

/** The inputs of a product. It does no I/O of its own: history and order books answer through ports, too. */
export interface Ports {
  /** The live table, and the rows of a few assets as they were a short while ago. */
  readonly market: MarketView & RowSnapshots;
  /** Order books that are in order. */
  readonly books: BookView;
  readonly health: HealthBoard;
  readonly clock: Clock;
  /** History, where it is kept. */
  readonly history?: HistoryView;
  /** Measured index moves of venues, if they are followed. */
  readonly indexMoves?: () => ReadonlyMap<VenueId, IndexMoves>;
  /** Reads what a module has opened for its products. */
  readonly readPort: ReadPort;
}

/** The questions that history answers. */
export type HistoryQueries = Pick<
  HistoryReader,
  | 'buckets'
  | 'settled'
  | 'settledSpans'
  | 'lastSettledSpans'
  | 'fundingPayments'
  | 'ratesAt'
  | 'takerFees'
  | 'settledMeans'
  | 'recentPayments'
  | 'interestAt'
  | 'baselines'
  | 'historicalRows'
  | 'shownContracts'
  | 'knownRange'
  | 'changes'
>;

/** The sources of historical answers. */
export interface HistoryView {
  readonly reader: HistoryQueries;
  /** Grows with every write. */
  readonly version: number;
}

export type Access = 'free' | 'paid';

/**
 * The inputs of an answer, besides the request: `table` = the live table, `books` = the order books and the
 * table, `history` = stored data, and the minute, `table-history` = that and the live table, `second` = the
 * clock, `document` = none that changes while the service runs.
 */
export type DataDependency = 'table' | 'books' | 'history' | 'table-history' | 'second' | 'document';

/** A product's description of itself. */
interface Words {
  /** Stable name, also in the price list: `funding-current`. */
  readonly id: string;
  /** Path template as in the contract: `/v1/funding/spread/{symbol}`. */
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
  /** Distinct, factual, at most 500 characters. */
  readonly description: string;
  readonly tags: readonly string[];
  readonly dependsOn: DataDependency;
  /** A port of values beside the table: where it is filled, an answer changes with the clock, too. */
  readonly beside?: Port<unknown>;
  /** A request, and what it was answered with; none for answers that are no JSON. */
  readonly example?: { readonly request: string; readonly answer: unknown };
  /** ISO 8601: when description, parameters, answer or example last changed. */
  readonly revisedAt: string;
  /** Media type of the answer where it is not application/json. */
  readonly contentType?: string;
  /** Further media types, for requests of a file. */
  readonly fileTypes?: readonly string[];
  /**
   * Its query `format=html` answers with a page, which a client that prefers text/html gets without asking for
   * it.
   */
  readonly hasPage?: boolean;
  /** A client that accepts text/event-stream gets the changes that follow, too. */
  readonly isStream?: boolean;
  /** Events of its stream by name, each as the schema of its data; a WebSocket has the same as messages. */
  readonly events?: Readonly<Record<string, TSchema>>;
  /** Messages to an address that a parameter names, by name. */
  readonly posts?: Readonly<Record<string, PostedMessage>>;
  /** Each answer is of one request alone: it is kept for no other one, and by no cache. */
  readonly isOwn?: boolean;
  /** A request may carry a secret, in a header of its own: `find` gets it as `asked.secret`. */
  readonly takesSecret?: boolean;
  /** Its content is in the ledger of payments, which may not answer. */
  readonly readsLedger?: boolean;
}

/** A message that is posted as JSON to an address of the buyer. */
export interface PostedMessage {
  /** The parameter that names the address. */
  readonly parameter: string;
  readonly summary: string;
  readonly description: string;
  readonly body: TSchema;
  /** The answer that the receiver has to give. */
  readonly reply: { readonly description: string; readonly body?: TSchema };
}

/** True if it answers with data, which has a time, and not with a document. */
export const answersData = ({ dependsOn }: Pick<Words, 'dependsOn'>): boolean => dependsOn !== 'document';

/** The secret of a request, where its product takes one. */
export interface Secretly {
  readonly secret?: string | undefined;
}

type Answered<Body> = Result<PlainAnswer<Body> | RenderedAnswer>;

/**
 * A product as its file declares it. The answer's type is the schema's: what `compute` makes lacks no field.
 *
 * @typeParam P what it may look at; documents of the service itself may look at more than `Ports`
 */
interface Declaration<A extends TSchema, S, Q extends TObject, I extends TObject, P> extends Words {
  /** Makes it a product whose answer can be held to a part of the market; default none. */
  readonly choice?: (product: Product<P>) => Product<P>;
  readonly query?: Q;
  /** Parameters of the path. */
  readonly params?: I;
  readonly answer: A;
  /** Cheap: what the request is about, or why it cannot be served. Runs before any payment is verified, and again after. */
  readonly find?: (asked: Static<Q> & Static<I> & Secretly, ports: P) => Result<S>;
  /** Contracts whose books the answer rests on: those that were not asked for before are waited for. */
  readonly books?: (found: S, asked: Static<Q> & Static<I>) => readonly BookName[];
  /** The answer; of what was asked for where nothing has to be found. */
  readonly compute: (
    found: S,
    ports: P,
    asked: Static<Q> & Static<I>,
  ) => Answered<Static<A>> | Promise<Answered<Static<A>>>;
}

export type Production = Result<RenderedAnswer> | Promise<Result<RenderedAnswer>>;

/** A request that was understood; producing its answer is all that is left. */
export interface Plan {
  readonly produce: () => Production;
  /** Contracts whose books the answer rests on; default none. */
  readonly books?: () => readonly BookName[];
}

/** Names one contract's book. */
export interface BookName {
  readonly venue: VenueId;
  /** The venue's own symbol. */
  readonly symbol: string;
  /** Depth that each side is wanted to have, USD; default any. */
  readonly usd?: number;
  /** The books that it is one of; default those of perpetuals. */
  readonly of?: Pick<BookView, 'isPending'>;
}

/** A product as the table of routes takes it. */
export interface Product<P = Ports> extends Words {
  readonly query: TObject;
  readonly params: TObject;
  readonly answer: TSchema;
  /** The answer about several assets, where it takes a list of them. */
  readonly several?: TSchema;
  /** True where its plans name books. */
  readonly restsOnBooks: boolean;
  /** @param asked what was read by the schemas of `query` and `params` */
  readonly plan: (asked: Readonly<Record<string, unknown>>, ports: P) => Result<Plan>;
}

function rendered(made: Answered<unknown>): Result<RenderedAnswer> {
  if (!made.ok) return made;
  const { value } = made;
  if ('content' in value) return ok(value);
  const { body, ...lineage } = value;
  return ok({ ...lineage, content: { json: body } });
}

const NO_PARAMETERS = Type.Object({});

/** True where a request of these parameters may name an asset. */
const namesAsset = (query: TObject, params: TObject): boolean =>
  [query, params].some(({ properties }) => 'ticker' in properties || 'symbol' in properties);

/** An answer about an asset that is named says where it was renamed. */
function mayBeRenamed<A extends TSchema>(answer: A): TSchema {
  const { properties } = answer as Partial<TObject>;
  if (properties === undefined) return answer;
  return Type.Object({ ...properties, renamed: Type.Optional(renamedSchema) });
}

/** Finds the renaming of the asset that was asked for; undefined without one, and where the ports have no market. */
const renamingOf = ({ market }: Partial<Pick<Ports, 'market'>>, asked: Readonly<Record<string, unknown>>) =>
  market === undefined ? undefined : renamedBy(market, asked);

/** Makes a product of its declaration. */
export function defineProduct<
  A extends TSchema,
  Q extends TObject = typeof NO_PARAMETERS,
  I extends TObject = typeof NO_PARAMETERS,
  S = Static<Q> & Static<I>,
  P = Ports,
>(declaration: Declaration<A, S, Q, I, P>): Product<P> {
  const { choice, ...whole } = declaration;
  const { find, compute, books, query = NO_PARAMETERS, params = NO_PARAMETERS, ...words } = whole;
  const isOfAsset = namesAsset(query, params);
  const product: Product<P> = {
    ...words,
    query,
    params,
    restsOnBooks: books !== undefined,
    answer: isOfAsset ? mayBeRenamed(words.answer) : words.answer,
    plan: (read, ports) => {
      // Parameters are read by these very schemas; a property test holds the two together.
      const asked = read as Static<Q> & Static<I> & Secretly;
      const found = find === undefined ? ok(read as S) : find(asked, ports);
      if (!found.ok) return found;
      return ok({
        ...(books !== undefined && { books: () => books(found.value, asked) }),
        produce: () => {
          // Read before the answer may wait: it is of one moment.
          const renamed = isOfAsset ? renamingOf(ports as Partial<Ports>, read) : undefined;
          const made = compute(found.value, ports, asked);
          const said = (answered: Answered<unknown>): Result<RenderedAnswer> => {
            const answer = rendered(answered);
            return answer.ok && renamed !== undefined ? ok(withRenamed(answer.value, renamed)) : answer;
          };
          return made instanceof Promise ? made.then(said) : said(made);
        },
      });
    },
  };
  return choice === undefined ? product : choice(product);
}
