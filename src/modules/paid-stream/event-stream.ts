import type { IncomingMessage, ServerResponse } from 'node:http';
import { SECRET_HEADER } from '../../api/headers.ts';
import type { EventStream } from '../../api/http/event-stream.ts';
import type { Failure } from '../../domain/errors.ts';
import type { StreamHall } from './hall.ts';
import type { PaidStreams } from './port.ts';
import { EventSink } from './sink.ts';

/** Paid streams as server-sent events, each for who has its secret. */
export const paidEventStream = (
  streams: Pick<PaidStreams, 'read'>,
  hall: Pick<StreamHall, 'refusal' | 'enter' | 'leave' | 'drained'>,
): EventStream => ({
  open: (request: IncomingMessage, response: ServerResponse, address: string): Failure | undefined => {
    const { pathname } = new URL(request.url ?? '', 'http://stream.invalid');
    const id = decodeURIComponent(pathname.split('/').at(-1) ?? '');
    const found = streams.read(id, request.headers[SECRET_HEADER.toLowerCase()]?.toString());
    const refusal = found.ok ? hall.refusal(address) : found.error;
    if (refusal !== undefined) return refusal;
    if (!found.ok) return found.error;
    const lastId = request.headers['last-event-id']?.toString();
    const reader = hall.enter(found.value, new EventSink(response), address, lastId);
    response.on('drain', () => hall.drained(reader));
    response.on('close', () => hall.leave(reader));
    return undefined;
  },
});
