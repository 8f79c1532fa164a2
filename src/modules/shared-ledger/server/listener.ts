import pg from 'pg';

const AGAIN_MS = 1_000;
const CONNECT_MS = 2_000;

/** Hears what is announced on a channel, over a connection of its own that is made again whenever it breaks. */
export class Listener {
  readonly #url: string;
  readonly #channel: string;
  readonly #heard: () => void;
  #client: pg.Client | undefined;
  #again: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * @param channel a plain name
   * @param heard something was announced, or may have been while nobody listened
   */
  constructor(url: string, channel: string, heard: () => void) {
    this.#url = url;
    this.#channel = channel;
    this.#heard = heard;
    void this.#connect();
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
      application_name: 'perpmeter',
    });
    this.#client = client;
    client.on('notification', this.#heard);
    client.on('error', () => this.renew(client));
    client.on('end', () => this.renew(client));
    try {
      await client.connect();
      await client.query(`LISTEN ${this.#channel}`);
      this.#heard();
    } catch {
      this.renew(client);
    }
  }

  /** Listens over a new connection: this one is broken, or does not answer. */
  renew(client = this.#client): void {
    if (client === undefined || client !== this.#client) return;
    this.#client = undefined;
    end(client);
    if (!this.#isClosed) this.#again = setTimeout(() => void this.#connect(), AGAIN_MS).unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#again);
    this.renew();
  }
}

/** A connection without an answer has nothing to say goodbye to. */
function end(client: pg.Client): void {
  client.end().catch(() => {});
  client.connection.stream.destroy();
}
