/** A value that is there at once, or comes later: a store on this host's disk answers at once, one over a network later. */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value, at once where it is there: nothing else comes between then. */
export const soon = <T, R>(value: Soon<T>, next: (value: T) => R): Soon<R> =>
  value instanceof Promise ? value.then(next) : next(value);
