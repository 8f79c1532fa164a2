import type { Failure } from '../../domain/errors.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import type { WantedQuotes } from './quote-rows.ts';
import type { Filter } from './selection.ts';
import { canSignal } from './signal-rows.ts';
import { type ShownRows, TopicLog } from './topic-log.ts';
import type { TopicName } from './topic-names.ts';
import type { TopicPorts } from './topic-row.ts';
import { TOPIC_ROWS } from './topics.ts';

/** Rows of a topic that went and are kept for readers that come back. */
const KEPT_GONE = 30_000;
/** Assets with a size and a choice of venues whose quotes a process reads: each is some twenty books a second. */
const MOST_QUOTES = 200;
/** A topic is looked at for this long after its last reader has gone, so that one that comes back goes on where it was. */
const LINGER_MS = MINUTE_MS;

/** The data of an event, and whether anything is in it. */
export interface Written {
  readonly text: string;
  readonly isEmpty: boolean;
}

interface ReadQuotes extends WantedQuotes {
  readonly readAt: number;
}

interface Board {
  readonly log: TopicLog;
  readAt: number;
}

/** The topics that are read, each looked at once for all of its readers. Looks have numbers, which all topics share. */
export class TopicBoard {
  readonly #ports: TopicPorts;
  readonly #onFault: (cause: unknown) => void;
  readonly #boards = new Map<TopicName, Board>();
  /** The books that are read, by asset, size and choice. */
  readonly #quotes = new Map<string, ReadQuotes>();
  /** Texts of this look: streams of equal rows get the same. */
  readonly #written = new Map<string, Written | undefined>();
  /** Those of streams with quotes, which a new reader may add to. */
  readonly #quoted = new Map<string, Written | undefined>();
  #look = 0;

  /** @param onFault hears of rows that could not be read: they are left out, and others are sent */
  constructor(ports: TopicPorts, onFault: (cause: unknown) => void) {
    this.#ports = ports;
    this.#onFault = onFault;
  }

  /** Number of the last look. */
  get look(): number {
    return this.#look;
  }

  /** Looks at the topics that are read, and lets go of those that are not any more. */
  lookAt(read: Iterable<Filter>): void {
    const now = performance.now();
    this.#look += 1;
    this.#written.clear();
    this.#quoted.clear();
    for (const filter of read) this.#note(filter, now);
    for (const [key, { readAt }] of this.#quotes) if (now - readAt > LINGER_MS) this.#quotes.delete(key);
    for (const [name, { log, readAt }] of this.#boards) {
      if (now - readAt > LINGER_MS) this.#boards.delete(name);
      else log.look(TOPIC_ROWS[name](this.#ports, this.#quotes.values()), this.#look);
    }
  }

  /** The reason for which a stream's quotes cannot be read beside the others. */
  refusal(filter: Filter): Failure | undefined {
    const further = quotesOf(filter).filter(({ key }) => !this.#quotes.has(key));
    if (further.length === 0 || this.#quotes.size + further.length <= MOST_QUOTES) return undefined;
    const detail = `Quotes of ${MOST_QUOTES} assets and sizes are read already: come again when some of them have ended.`;
    return { code: 'stream_full', detail, retryAfterSeconds: 60 };
  }

  /** Begins with what nobody has read yet: topics, and books for a size. The others are not looked at again. */
  want(filter: Filter): void {
    const known = new Set(this.#boards.keys());
    const added = this.#note(filter, performance.now());
    const quotes = known.has('quotes') && added.length > 0 ? this.#boards.get('quotes') : undefined;
    if (quotes !== undefined) {
      this.#look += 1;
      this.#quoted.clear();
      quotes.log.add(TOPIC_ROWS.quotes(this.#ports, added), this.#look);
    }
    for (const [name, { log }] of this.#boards)
      if (!known.has(name)) log.look(TOPIC_ROWS[name](this.#ports, this.#quotes.values()), this.#look);
  }

  /** Notes that a stream reads its topics; returns the quotes among them that no other one reads. */
  #note(filter: Filter, now: number): readonly WantedQuotes[] {
    for (const name of filter.topics) {
      const board = this.#boards.get(name);
      if (board !== undefined) board.readAt = now;
      else this.#boards.set(name, { log: new TopicLog(KEPT_GONE, this.#onFault), readAt: now });
    }
    const added: WantedQuotes[] = [];
    for (const { key, wanted } of quotesOf(filter)) {
      const isNew = !this.#quotes.has(key);
      if (isNew && this.#quotes.size >= MOST_QUOTES) continue;
      this.#quotes.set(key, { ...wanted, readAt: now });
      if (isNew) added.push(wanted);
    }
    return added;
  }

  /** True where a stream has any row, and all of its quotes are read. That its assets have no signal is an answer, too. */
  has(filter: Filter): boolean {
    if (!quotesOf(filter).every(({ key }) => this.#quotes.has(key))) return false;
    if (filter.topics.includes('signals') && canSignal(this.#ports, filter.assets)) return true;
    return filter.topics.some((name) => this.#boards.get(name)?.log.has(filter));
  }

  /** All rows of a stream. */
  snapshot(filter: Filter): Written {
    const written = this.#once(filter, 'all', () =>
      toldOf(filter.topics, (name) => ({
        texts: this.#boards.get(name)?.log.snapshot(filter) ?? [],
        gone: [],
      })),
    );
    return written ?? { text: '{}', isEmpty: true };
  }

  /** Changes of a stream's rows after a look; undefined where these are not kept any more. */
  since(look: number, filter: Filter): Written | undefined {
    return this.#once(filter, String(look), () =>
      toldOf(filter.topics, (name) => this.#boards.get(name)?.log.since(look, filter)),
    );
  }

  #once(filter: Filter, part: string, write: () => Written | undefined): Written | undefined {
    const known = filter.sizeUsd === undefined ? this.#written : this.#quoted;
    const key = `${part} ${filter.key}`;
    if (known.has(key)) return known.get(key);
    const written = write();
    known.set(key, written);
    return written;
  }
}

function quotesOf({ assets = [], sizeUsd, choice, takes }: Filter) {
  if (sizeUsd === undefined) return [];
  return assets.map((asset) => ({
    key: `${asset} ${sizeUsd} ${choice}`,
    wanted: { asset, sizeUsd, takes },
  }));
}

function toldOf(
  topics: readonly TopicName[],
  rowsOf: (name: TopicName) => ShownRows | undefined,
): Written | undefined {
  const parts: string[] = [];
  let isEmpty = true;
  for (const name of topics) {
    const rows = rowsOf(name);
    if (rows === undefined) return undefined;
    if (rows.texts.length > 0 || rows.gone.length > 0) isEmpty = false;
    parts.push(`"${name}":{"rows":[${rows.texts.join(',')}],"gone":${JSON.stringify(rows.gone)}}`);
  }
  return { text: `{${parts.join(',')}}`, isEmpty };
}
