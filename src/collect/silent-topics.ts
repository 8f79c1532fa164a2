import type { Instrument } from '../domain/instrument.ts';
import type { QuotePatch } from '../domain/quote.ts';
import type { PlanContext, Stream } from '../venues/adapter.ts';

/** Topics that are asked for again at a time: their frames go out one by one. */
const MAX_TOPICS = 50;

/**
 * Topics of a stream that brought nothing. Replies of venues do not state alike which subscription they refuse,
 * and one that is wrong may take all others of its frame with it: so each silent topic is asked for again,
 * alone.
 */
export class SilentTopics {
  readonly #stream: Stream;
  /** Contracts of which something came since the last look. */
  readonly #heard = new Set<string>();

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  heard(quotes: readonly QuotePatch[]): void {
    for (const { symbol } of quotes) this.#heard.add(symbol);
  }

  /** Topics of contracts of which nothing came since the last look, the most traded first, with these contracts. */
  look({ instruments, now }: PlanContext): Silence {
    const topicsOf = (wasHeard: boolean): ReadonlySet<string> => {
      const some = instruments.filter(({ symbol }) => this.#heard.has(symbol) === wasHeard);
      return new Set(this.#stream.topics({ instruments: some, now }));
    };
    const working = topicsOf(true);
    const silent = topicsOf(false);
    const isSilent = this.#heard.size === 0;
    this.#heard.clear();
    // Where nothing came at all the connection is at fault, and its silence ends it.
    const topics = isSilent ? [] : [...silent].filter((topic) => !working.has(topic)).slice(0, MAX_TOPICS);
    const asked = new Set(topics);
    const isAsked = (instrument: Instrument): boolean =>
      this.#stream.topics({ instruments: [instrument], now }).some((topic) => asked.has(topic));
    const symbols = topics.length === 0 ? [] : instruments.filter(isAsked).map(({ symbol }) => symbol);
    return { topics, symbols };
  }
}

/** Topics to ask for again. */
export interface Silence {
  readonly topics: readonly string[];
  /** Contracts that these topics are about. */
  readonly symbols: readonly string[];
}
