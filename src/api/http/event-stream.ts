import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Failure } from '../../domain/errors.ts';

type Args = Readonly<Record<string, unknown>>;

/** A request that asks for another protocol on its connection. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** The first bytes of that protocol. */
  readonly head: Buffer;
}

/** Events to many readers, each on the response of its own request, or on a connection that it takes over. */
export interface EventStream {
  /**
   * Takes a request as a reader; or says why it is none, and leaves the response alone.
   *
   * @param address of the client
   * @param input parameters of path and query, as the route declares them
   */
  open(request: IncomingMessage, response: ServerResponse, address: string, input: Args): Failure | undefined;
  /**
   * Takes the connection of a request for a protocol that it speaks, and answers all of it; undefined where it speaks none: then
   * the request is answered as if it had not asked. Parameters as those of `open`.
   *
   * @returns the HTTP status that it counts as: 101, or that of the failure by which the reader is refused
   */
  upgrade?(asked: Upgrade, address: string, input: Args): number | undefined;
}
