import type { Instrument } from '../../domain/instrument.ts';
import type { BookFeed } from '../../venues/book-feed.ts';
import type { PlanContext } from '../../venues/stream.ts';
import { countAlike } from '../contracts.ts';
import type { BookSink } from '../ports.ts';
import { BookSubscription } from './book-subscription.ts';
import { chooseStreamed, rankForStreams } from './coverage.ts';

const NONE: readonly BookSubscription[] = [];
/** A book stays preferred for this long after an answer last used it, so that streams do not come and go. */
const PREFERRED_FOR_MS = 600_000;

/** The book subscriptions of one venue: one a listed contract, and which of them are streamed under which topic. */
export class BookSubscriptions {
  readonly #feed: BookFeed;
  readonly #bookSink: BookSink;
  readonly #mostStreamed: number;
  readonly #priorityTickers: ReadonlySet<string>;
  readonly #books = new Map<string, BookSubscription>();
  readonly #byTopic = new Map<string, BookSubscription[]>();
  #streamed: ReadonlySet<string> = new Set();
  #all: readonly BookSubscription[] = NONE;

  /**
   * @param mostStreamed contracts that are streamed at most
   * @param priorityTickers assets whose contracts come before all others, whatever they trade
   */
  constructor(
    feed: BookFeed,
    bookSink: BookSink,
    mostStreamed: number,
    priorityTickers: ReadonlySet<string>,
  ) {
    this.#feed = feed;
    this.#bookSink = bookSink;
    this.#mostStreamed = mostStreamed;
    this.#priorityTickers = priorityTickers;
  }

  /**
   * Brings the books in line with the contracts. Returns the topics to follow, the most wanted first.
   *
   * @param onlyRead whether only books that are read, or that answers rest on, are streamed
   */
  plan({ instruments: traded, now }: PlanContext, onlyRead = false): readonly string[] {
    const instruments = this.#priorityFirst(traded);
    const listed = new Set(instruments.map(({ symbol }) => symbol));
    for (const symbol of this.#books.keys()) if (!listed.has(symbol)) this.#remove(symbol);
    for (const contract of instruments) this.#add(contract);
    this.#all = [...this.#books.values()];
    const isPreferred = (symbol: string): boolean => {
      const book = this.#books.get(symbol);
      return book !== undefined && (book.isPriority || this.isPreferred(book, now));
    };
    const isRead = (symbol: string): boolean => {
      const book = this.#books.get(symbol);
      return book !== undefined && (book.isWanted(now) || book.isNamed(now));
    };
    const streamable = instruments
      .filter((contract) => this.#topicOf(contract) !== undefined && (!onlyRead || isRead(contract.symbol)))
      .map(({ symbol }) => symbol);
    const ranking = rankForStreams(streamable, this.#mostStreamed, isPreferred);
    this.#streamed = chooseStreamed(ranking, this.#mostStreamed, this.#streamed);
    this.#byTopic.clear();
    for (const contract of instruments) {
      const topic = this.#streamed.has(contract.symbol) ? this.#topicOf(contract) : undefined;
      const book = this.#books.get(contract.symbol);
      book?.follow(topic !== undefined, now);
      if (topic === undefined || book === undefined) continue;
      const sharing = this.#byTopic.get(topic);
      if (sharing === undefined) this.#byTopic.set(topic, [book]);
      else sharing.push(book);
    }
    const ranked = [...ranking.first, ...ranking.others];
    return ranked.flatMap((symbol) => (this.#streamed.has(symbol) ? (this.#topicNamed(symbol) ?? []) : []));
  }

  /** Closes all books. */
  dropAll(): void {
    for (const symbol of this.#books.keys()) this.#remove(symbol);
    this.#byTopic.clear();
    this.#streamed = new Set();
    this.#all = NONE;
  }

  /** True if a computed answer has used the book lately. */
  isPreferred(book: BookSubscription, now: number): boolean {
    return now - book.preferredAt < PREFERRED_FOR_MS;
  }

  get(symbol: string): BookSubscription | undefined {
    return this.#books.get(symbol);
  }

  /** Streamed books of a topic. */
  onTopic(topic: string): readonly BookSubscription[] {
    return this.#byTopic.get(topic) ?? NONE;
  }

  /** Topic of a book, whether it is streamed or not. */
  topicOf(book: BookSubscription): string | undefined {
    return this.#topicOf(book.contract);
  }

  /** All books; the list is replaced, never changed. */
  get all(): readonly BookSubscription[] {
    return this.#all;
  }

  #topicNamed(symbol: string): string | undefined {
    const book = this.#books.get(symbol);
    return book === undefined ? undefined : this.#topicOf(book.contract);
  }

  #topicOf(contract: Instrument): string | undefined {
    return this.#feed.stream?.topicOf(contract);
  }

  #add(contract: Instrument): void {
    const known = this.#books.get(contract.symbol);
    // Levels held in other units are those of another contract.
    if (known !== undefined && countAlike(known.contract, contract)) return;
    if (known !== undefined) this.#remove(contract.symbol);
    const isPriority = this.#isPriority(contract);
    const book = new BookSubscription(contract, this.#feed, this.#bookSink, isPriority);
    this.#books.set(contract.symbol, book);
  }

  #isPriority({ ticker }: Instrument): boolean {
    return this.#priorityTickers.has(ticker);
  }

  /** Before volumes are known the order is the venue's own, and what most questions are about may come last in it. */
  #priorityFirst(instruments: readonly Instrument[]): readonly Instrument[] {
    const isFirst = (contract: Instrument): boolean => this.#isPriority(contract);
    return [...instruments.filter(isFirst), ...instruments.filter((contract) => !isFirst(contract))];
  }

  #remove(symbol: string): void {
    this.#books.get(symbol)?.close();
    this.#books.delete(symbol);
  }
}
