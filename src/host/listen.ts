import type { Api } from '../api/server.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import type { ServiceOptions } from './options.ts';

/** The port that is listened on, or a sentence about why none is. */
export async function listen(api: Api, { port, host }: ServiceOptions): Promise<number | string> {
  try {
    return await api.listen(port, host);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'EADDRINUSE') return `${host}:${port} is in use; choose another with --port`;
    return `cannot listen on ${host}:${port}: ${reasonOf(cause)}`;
  }
}
