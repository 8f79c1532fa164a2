/**
 * Addresses of a venue's bases on the simulation's server. The path of a base is kept behind the venue's
 * prefix: `https://www.okx.com/api/v5` becomes `<url>/okx/api/v5`.
 *
 * @param url address of the simulation's server
 * @param mount id of the venue whose address it is: the parent's for a sub-venue
 */
export function simBases(
  bases: Readonly<Record<string, string>>,
  url: string,
  mount: string,
): Readonly<Record<string, string>> {
  const entries = Object.entries(bases).map(([name, base]) => [name, simBase(base, url, mount)] as const);
  return Object.fromEntries(entries);
}

function simBase(base: string, url: string, mount: string): string {
  const { protocol } = new URL(base);
  const origin = protocol.startsWith('ws') ? url.replace(/^http/, 'ws') : url;
  return `${origin}/${mount}${basePath(base)}`;
}

/** Path of a base, without a slash at the end; empty for a bare host. */
export function basePath(base: string): string {
  return new URL(base).pathname.replace(/\/$/, '');
}
