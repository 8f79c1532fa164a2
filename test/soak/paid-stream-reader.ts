import { type ClientRequest, get } from 'node:http';
import WebSocket from 'ws';
import { eventParser } from './stream-reader.ts';

export type Transport = 'events' | 'socket';

interface Row {
  readonly venue: string;
  readonly canonical_id: string;
  readonly rate: number;
}
interface Data {
  readonly at?: string;
  readonly reason?: string;
  readonly paid?: number;
  readonly topics?: { readonly funding: { readonly rows: readonly Row[]; readonly gone: readonly string[] } };
}

/** Hears what a reader gets. */
export interface Listener {
  /** Rows came: the time of the event, and whether it was the change of one second alone. Returns how many rows are held as they no longer are. */
  readonly rows: (at: string, held: ReadonlyMap<string, number>, isChange: boolean) => number;
  readonly paused: () => void;
  /** Minutes are asked for; `paid` is the sum that the event states. */
  readonly due: (paid: number) => void;
  readonly ended: () => void;
}

/**
 * A reader of a paid stream by either protocol, who holds the service to its word: each number follows the last one, no row is older
 * than the one before it, and a changed row comes once.
 */
export class PaidReader {
  readonly rows = new Map<string, number>();
  /** Events that came twice or not at all, and rows that went back in time, without a word. */
  unsaid = 0;
  breaks = 0;
  wholes = 0;
  conflated = 0;
  refused = 0;
  emptyConnections = 0;
  readonly byTransport: Record<Transport, number> = { events: 0, socket: 0 };
  #number = 0;
  #lastId: string | undefined;
  #close: () => void = () => {};
  #connection = 0;
  #isEmpty = true;

  constructor(
    readonly id: string,
    readonly secret: string,
    readonly address: string,
    readonly listener: Listener,
  ) {}

  /** Opens a connection; one that is still there is left first, since it would hold a place. */
  open(base: string, transport: Transport): void {
    this.#close();
    this.#connection += 1;
    const connection = this.#connection;
    this.#isEmpty = true;
    this.byTransport[transport] += 1;
    const take = (id: string, event: string, data: Data): void => {
      if (this.#connection === connection) this.#take(id, event, data);
    };
    const ended = (): void => {
      if (this.#connection === connection) this.#ended();
    };
    const url = `${base}/v1/streams/${this.id}`;
    if (transport === 'socket') this.#openSocket(url.replace('http', 'ws'), take, ended);
    else this.#openEvents(url, take, ended);
  }

  #openSocket(url: string, take: (id: string, event: string, data: Data) => void, ended: () => void): void {
    const words = ['perpmeter.stream.v1', `perpmeter.secret.${this.secret}`];
    if (this.#lastId !== undefined) words.push(`perpmeter.after.${this.#lastId}`);
    const socket = new WebSocket(url, words, { headers: { 'x-reader': this.address } });
    socket.on('error', () => {});
    socket.on('close', ended);
    socket.on('message', (text: Buffer) => {
      const { id, event, data } = JSON.parse(text.toString());
      if (event === 'problem') this.refused += 1;
      else if (id !== undefined) take(id, event, data);
    });
    this.#close = () => socket.terminate();
  }

  #openEvents(url: string, take: (id: string, event: string, data: Data) => void, ended: () => void): void {
    const headers: Record<string, string> = {
      accept: 'text/event-stream',
      'perpmeter-secret': this.secret,
      'x-reader': this.address,
    };
    if (this.#lastId !== undefined) headers['last-event-id'] = this.#lastId;
    const request: ClientRequest = get(url, { agent: false, headers }, (response) => {
      if (response.statusCode !== 200) this.refused += 1;
      const parse = eventParser(({ id, name, data }) => take(id, name, data as Data));
      response
        .setEncoding('utf8')
        .on('data', parse)
        .once('close', ended)
        .on('error', () => {});
    });
    request.on('error', ended);
    this.#close = () => request.destroy();
  }

  /** Breaks the connection, as a network does. */
  cut(): void {
    this.breaks += 1;
    this.#leave();
  }

  #ended(): void {
    this.#leave();
    this.listener.ended();
  }

  #leave(): void {
    this.#connection += 1;
    if (this.#isEmpty) this.emptyConnections += 1;
    this.#isEmpty = false;
    this.#close();
  }

  #take(id: string, event: string, data: Data): void {
    const number = Number(id.split('-').at(-1));
    if (number !== this.#number + 1) this.unsaid += 1;
    this.#number = number;
    this.#lastId = id;
    if (event === 'paused') this.listener.paused();
    if (event === 'due' || (event === 'paused' && data.reason === 'unpaid'))
      this.listener.due(data.paid ?? 0);
    if (data.topics !== undefined && data.at !== undefined)
      this.#takeRows(event, data.at, data.topics.funding);
  }

  #takeRows(event: string, at: string, { rows, gone }: NonNullable<Data['topics']>['funding']): void {
    this.#isEmpty = false;
    if (event === 'snapshot') {
      this.wholes += 1;
      this.rows.clear();
    }
    if (event === 'conflated') this.conflated += 1;
    for (const name of gone) this.rows.delete(name);
    for (const { venue, canonical_id: asset, rate } of rows) {
      const second = Math.round(rate * 1e6);
      const name = `${venue} ${asset}`;
      const before = this.rows.get(name);
      // A row that is given again as it was has been doubled; an older one has come out of order.
      if (before !== undefined && second <= before) this.unsaid += 1;
      this.rows.set(name, second);
    }
    this.unsaid += this.listener.rows(at, this.rows, event === 'change');
  }
}
