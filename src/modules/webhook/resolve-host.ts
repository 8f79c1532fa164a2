import { Resolver } from 'node:dns/promises';

/** The addresses of a name; empty where it has none. Rejects where nobody says. */
export type ResolveHost = (name: string) => Promise<readonly string[]>;

const TRY_MS = 2000;
const TRIES = 2;
/** Answers of resolvers that say that there is no address of this family. */
const NONE = new Set(['ENODATA', 'ENOTFOUND']);

/**
 * Asks the DNS servers of this host. Its file of names has no say, and a server that is slow holds up nothing else, as it would
 * in the few threads that the system's own look-up shares with files and stores.
 */
export const resolveHost: ResolveHost = async (name) => {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failure = answers.find((answer) => answer.status === 'rejected' && !NONE.has(codeOf(answer.reason)));
  if (found.length === 0 && failure?.status === 'rejected') throw failure.reason;
  return found;
};

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : '';
