import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Failure } from '../../domain/errors.ts';

/** Events to many readers, each on the response of its own request. */
export interface EventStream {
  /** Takes a request as a reader; or says why it is none, and leaves the response alone. */
  open(request: IncomingMessage, response: ServerResponse, address: string): Failure | undefined;
}
