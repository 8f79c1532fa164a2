/** An answer that is no JSON: a file, byte for byte as it came. */
export class FileAnswer {
  /** The name of the saved file. */
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(path: string, headers: Headers, bytes: Uint8Array) {
    this.type = typeOf(headers);
    this.name = nameIn(headers) ?? nameOf(path, this.type);
    this.bytes = new Uint8Array(bytes);
  }
}

const typeOf = (headers: Headers): string => headers.get('content-type') ?? '';

/** The name that the service gives it. */
const nameIn = (headers: Headers): string | undefined =>
  /filename="([\w.-]+)"/.exec(headers.get('content-disposition') ?? '')?.[1];

/** Types that are asked for by `format`, with the endings of their files. */
const ENDINGS: Readonly<Record<string, string>> = {
  'text/csv': 'csv',
  'application/vnd.apache.parquet': 'parquet',
};

const endingOf = (type: string): string | undefined => ENDINGS[type.split(';', 1)[0]?.trim() ?? ''];

/** `/v1/backtest/data?…` is saved as `backtest-data.csv`. */
function nameOf(path: string, type: string): string {
  const [way = ''] = path.split('?', 1);
  const name = way.replace(/^\/v1\//, '').replaceAll(/[^\w.-]+/g, '-');
  return `${name}.${endingOf(type) ?? (isJson(type) ? 'json' : 'bin')}`;
}

const isJson = (type: string): boolean => type.includes('json');

/** True if an answer is of a format that is meant to be a file. */
export const isFile = (headers: Headers): boolean => endingOf(typeOf(headers)) !== undefined;

/** An answer's JSON; a file where it is none, so that a paid answer is never lost. */
export function bodyOf(path: string, headers: Headers, bytes: Uint8Array): unknown {
  try {
    if (isJson(typeOf(headers))) return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // It says that it is JSON, and is not.
  }
  return new FileAnswer(path, headers, bytes);
}
