export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** Server-sent events out of text that comes in pieces, cut anywhere (WHATWG HTML, 9.2.6). */
export class EventReader {
  /** Of the last whole event that had one: what to resume from. */
  lastId: string | undefined;
  /** The wait before coming back, ms; the stream may state another time. */
  retryMs = 3000;
  #name = '';
  #data: string[] = [];
  /** Said before the data that it is of: it counts once these are there, too. */
  #id: string | undefined;
  #part: string[] = [];

  /** The events that are whole with this piece. */
  *take(text: string): Generator<ServerEvent> {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#part.push(text.slice(from, end));
      const line = this.#part.join('').replace(/\r$/, '');
      this.#part = [];
      from = end + 1;
      if (line !== '') {
        this.#field(line);
        continue;
      }
      this.lastId = this.#id;
      if (this.#data.length > 0) yield this.#event();
    }
    if (from < text.length) this.#part.push(text.slice(from));
  }

  /** Forgets an event that the end of a connection has cut short. */
  cut(): void {
    this.#part = [];
    this.#id = this.lastId;
    this.#event();
  }

  #event(): ServerEvent {
    const event = { name: this.#name === '' ? 'message' : this.#name, data: this.#data.join('\n') };
    this.#name = '';
    this.#data = [];
    return event;
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#name = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
  }
}
