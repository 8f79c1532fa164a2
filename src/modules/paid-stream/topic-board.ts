import { MINUTE_MS } from '../../runtime/duration.ts';
import type { WantedQuotes } from './quote-rows.ts';
import type { Filter } from './selection.ts';
import { type ShownRows, TopicLog, type TopicRow } from './topic-log.ts';
import type { TopicName } from './topic-names.ts';
import type { TopicPorts } from './topic-row.ts';
import { TOPIC_ROWS } from './topics.ts';

/** Changed rows of a topic that are kept for readers that come back. */
const KEPT_ROWS = 30_000;
/** A topic is looked at for this long after its last reader has gone, so that one that comes back goes on where it was. */
const LINGER_MS = MINUTE_MS;

/** The data of an event, and whether anything is in it. */
export interface Written {
  readonly text: string;
  readonly isEmpty: boolean;
}

interface Board {
  readonly log: TopicLog;
  readAt: number;
}

/** The topics that are read, each looked at once for all of its readers. Looks have numbers, which all topics share. */
export class TopicBoard {
  readonly #ports: TopicPorts;
  readonly #boards = new Map<TopicName, Board>();
  /** The books that are read, by asset and size. */
  readonly #quotes = new Map<string, WantedQuotes & { readonly readAt: number }>();
  /** Texts of this look: streams of equal rows get the same. */
  readonly #written = new Map<string, Written | undefined>();
  #look = 0;

  constructor(ports: TopicPorts) {
    this.#ports = ports;
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
    for (const filter of read) this.#note(filter, now);
    for (const [key, { readAt }] of this.#quotes) if (now - readAt > LINGER_MS) this.#quotes.delete(key);
    for (const [name, { log, readAt }] of this.#boards) {
      if (now - readAt > LINGER_MS) this.#boards.delete(name);
      else log.look(this.#rowsOf(name), this.#look);
    }
  }

  /** Begins with what nobody has read yet: topics, and books for a size. */
  want(filter: Filter): void {
    const known = new Set(this.#boards.keys());
    const hasNewQuotes = this.#note(filter, performance.now()) && known.has('quotes');
    if (hasNewQuotes) {
      this.#look += 1;
      this.#written.clear();
    }
    for (const [name, { log }] of this.#boards)
      if (!known.has(name) || (name === 'quotes' && hasNewQuotes)) log.look(this.#rowsOf(name), this.#look);
  }

  /** Notes that a stream reads its topics; true where quotes are among them that no other one reads. */
  #note({ topics, assets = [], sizeUsd }: Filter, now: number): boolean {
    for (const name of topics) {
      const board = this.#boards.get(name);
      if (board === undefined) this.#boards.set(name, { log: new TopicLog(KEPT_ROWS), readAt: now });
      else board.readAt = now;
    }
    let isNew = false;
    for (const asset of sizeUsd === undefined ? [] : assets) {
      const key = `${asset} ${sizeUsd}`;
      isNew ||= !this.#quotes.has(key);
      this.#quotes.set(key, { asset, sizeUsd: sizeUsd ?? 0, readAt: now });
    }
    return isNew;
  }

  #rowsOf(name: TopicName): Iterable<TopicRow> {
    return TOPIC_ROWS[name](this.#ports, this.#quotes.values());
  }

  /** True where a stream has any row. */
  has(filter: Filter): boolean {
    return filter.topics.some((name) => this.#boards.get(name)?.log.has(filter));
  }

  /** All rows of a stream. */
  snapshot(filter: Filter): Written {
    const written = this.#once(`all ${filter.key}`, () =>
      toldOf(filter.topics, (name) => ({
        texts: this.#boards.get(name)?.log.snapshot(filter) ?? [],
        gone: [],
      })),
    );
    return written ?? { text: '{}', isEmpty: true };
  }

  /** Changes of a stream's rows after a look; undefined where these are not kept any more. */
  since(look: number, filter: Filter): Written | undefined {
    return this.#once(`${look} ${filter.key}`, () =>
      toldOf(filter.topics, (name) => this.#boards.get(name)?.log.since(look, filter)),
    );
  }

  #once(key: string, write: () => Written | undefined): Written | undefined {
    if (this.#written.has(key)) return this.#written.get(key);
    const written = write();
    this.#written.set(key, written);
    return written;
  }
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
