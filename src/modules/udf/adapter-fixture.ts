/** A bar as the charting library draws it, time in milliseconds. */
interface Bar {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

interface Period {
  readonly from: number;
  readonly to: number;
  readonly countBack?: number | undefined;
}

type Wire = Readonly<Record<string, unknown>>;

/** The calls that the charting library's UDF adapter makes, and what it makes of the answers. It reads no status. */
export class UdfAdapter {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(base: string, headers: Readonly<Record<string, string>>) {
    this.#base = base;
    this.#headers = headers;
  }

  fetch(path: string): Promise<Response> {
    return fetch(`${this.#base}/${path}`, { headers: this.#headers });
  }

  async #ask(path: string, params: Readonly<Record<string, string | number>> = {}): Promise<unknown> {
    const query = Object.entries(params).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    const response = await this.fetch(query.length === 0 ? path : `${path}?${query.join('&')}`);
    return JSON.parse(await response.text());
  }

  async onReady(): Promise<Wire> {
    const config = (await this.#ask('config')) as Wire;
    if (config.supports_search !== true && config.supports_group_request !== true)
      throw new Error('neither search nor groups');
    return config;
  }

  async serverTime(): Promise<number> {
    return Number.parseInt(await (await this.fetch('time')).text(), 10);
  }

  async searchSymbols(query: string, exchange: string, type: string): Promise<readonly Wire[]> {
    const found = await this.#ask('search', { limit: 30, query: query.toUpperCase(), type, exchange });
    return found as readonly Wire[];
  }

  async resolveSymbol(symbol: string): Promise<Wire> {
    const info = (await this.#ask('symbols', { symbol })) as Wire;
    if (info.s !== undefined) throw new Error('unknown_symbol');
    return info;
  }

  /** Rejects with the text of an error. */
  async getBars(symbol: string, resolution: string, { from, to, countBack }: Period) {
    const count = countBack === undefined ? {} : { countback: countBack };
    const answer = (await this.#ask('history', { symbol, resolution, from, to, ...count })) as Wire;
    if (answer.s !== 'ok' && answer.s !== 'no_data') return Promise.reject(answer.errmsg);
    if (answer.s === 'no_data') {
      const { nextTime } = answer;
      return { bars: [], meta: nextTime === undefined ? { noData: true } : { noData: true, nextTime } };
    }
    const column = (name: string): readonly number[] | undefined =>
      answer[name] as readonly number[] | undefined;
    const closes = column('c') ?? [];
    const bars = (column('t') ?? []).map((time, at): Bar => {
      const close = closes[at] ?? Number.NaN;
      const of = (name: string): number => column(name)?.[at] ?? close;
      return { time: time * 1000, open: of('o'), high: of('h'), low: of('l'), close };
    });
    return { bars, meta: { noData: false } };
  }
}
