/** Keys that a decoder read in a call's payloads, against those that were there. */
export interface KeyReport {
  /** Read, and in no payload: an alternative name, or a field that is gone. */
  readonly absent: readonly string[];
  /** In a payload, and never read: fields that are not needed, or new ones. */
  readonly unread: readonly string[];
}

interface Place {
  readonly present: Set<string>;
  readonly read: Set<string>;
}

/** An object with more keys than this is a table keyed by contract, not a row with fields. */
const MAX_FIELDS = 80;
/** A table of rows is smaller at times: so many keys, and an object behind each of them. */
const MIN_TABLE_KEYS = 8;
const isObject = (x: unknown): x is object => typeof x === 'object' && x !== null;

function isTable(target: object, keys: readonly string[]): boolean {
  if (keys.length > MAX_FIELDS) return true;
  return keys.length >= MIN_TABLE_KEYS && Object.values(target).every(isObject);
}

/**
 * Notes the keys that a decoder reads, by a payload that tells. Rows of one list count as one place (`data[].symbol`),
 * so does every entry of a table keyed by contract (`result.*.c`).
 */
export class ReadKeys {
  readonly #places = new Map<string, Place>();
  readonly #watched = new WeakMap<object, object>();

  /** Wraps a payload so that every key that is read is noted. */
  watch(payload: unknown): unknown {
    return isObject(payload) ? this.#wrap(payload, '') : payload;
  }

  report(): KeyReport {
    const absent: string[] = [];
    const unread: string[] = [];
    for (const [path, { present, read }] of this.#places) {
      // A place without one known key is a list of something else than rows: nothing can be said of it.
      if (present.size === 0) continue;
      const name = (key: string): string => (path === '' ? key : `${path}.${key}`);
      for (const key of read) if (!present.has(key)) absent.push(name(key));
      for (const key of present) if (!read.has(key)) unread.push(name(key));
    }
    return { absent: absent.sort(), unread: unread.sort() };
  }

  #wrap(target: object, path: string): object {
    const known = this.#watched.get(target);
    if (known !== undefined) return known;
    const made = Array.isArray(target) ? this.#wrapList(target, path) : this.#wrapRow(target, path);
    this.#watched.set(target, made);
    return made;
  }

  #wrapList(target: unknown[], path: string): object {
    return new Proxy(target, {
      get: (list, key, receiver) => {
        const value: unknown = Reflect.get(list, key, receiver);
        const isEntry = typeof key === 'string' && /^\d+$/.test(key);
        return isEntry && isObject(value) ? this.#wrap(value, `${path}[]`) : value;
      },
    });
  }

  #wrapRow(target: object, path: string): object {
    const keys = Object.keys(target);
    const place = isTable(target, keys) ? undefined : this.#place(path, keys);
    const below = (key: string): string => {
      const name = place === undefined ? '*' : key;
      return path === '' ? name : `${path}.${name}`;
    };
    return new Proxy(target, {
      get: (row, key, receiver) => {
        const value: unknown = Reflect.get(row, key, receiver);
        if (typeof key !== 'string') return value;
        place?.read.add(key);
        return isObject(value) && Object.hasOwn(row, key) ? this.#wrap(value, below(key)) : value;
      },
      has: (row, key) => {
        if (typeof key === 'string') place?.read.add(key);
        return Reflect.has(row, key);
      },
      ownKeys: (row) => {
        for (const key of keys) place?.read.add(key);
        return Reflect.ownKeys(row);
      },
    });
  }

  #place(path: string, keys: readonly string[]): Place {
    const place = this.#places.get(path) ?? { present: new Set<string>(), read: new Set<string>() };
    this.#places.set(path, place);
    for (const key of keys) place.present.add(key);
    return place;
  }
}
