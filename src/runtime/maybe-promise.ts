/** At once where a store is a mapped file, later where it is a server. */
export type MaybePromise<T> = T | Promise<T>;
