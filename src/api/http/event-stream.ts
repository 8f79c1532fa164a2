import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Failure } from '../../domain/errors.ts';

type Args = Readonly<Record<string, unknown>>;

/** Events to many readers, each on the response of its own request. */
export interface EventStream {
  /**
   * Takes a request as a reader; or says why it is none, and leaves the response alone.
   *
   * @param address of the client
   * @param input parameters of path and query, as the route declares them
   */
  open(request: IncomingMessage, response: ServerResponse, address: string, input: Args): Failure | undefined;
}
