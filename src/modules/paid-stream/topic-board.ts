import { MINUTE_MS } from '../../runtime/duration.ts';
import type { Filter } from './selection.ts';
import { type ShownRows, TopicLog } from './topic-log.ts';
import type { TopicName } from './topic-names.ts';
import { TOPIC_ROWS, type TopicPorts } from './topics.ts';

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
  lookAt(read: ReadonlySet<TopicName>): void {
    const now = performance.now();
    this.#look += 1;
    this.#written.clear();
    for (const name of read) this.#open(name).readAt = now;
    for (const [name, { log, readAt }] of this.#boards) {
      if (now - readAt > LINGER_MS) this.#boards.delete(name);
      else log.look(TOPIC_ROWS[name](this.#ports), this.#look);
    }
  }

  /** Begins with topics that nobody has read yet. */
  want(read: readonly TopicName[]): void {
    for (const name of read) {
      const isNew = !this.#boards.has(name);
      const { log } = this.#open(name);
      if (isNew) log.look(TOPIC_ROWS[name](this.#ports), this.#look);
    }
  }

  #open(name: TopicName): Board {
    const board = this.#boards.get(name) ?? { log: new TopicLog(KEPT_ROWS), readAt: performance.now() };
    this.#boards.set(name, board);
    return board;
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
