import { SECRET_HEADER } from '../../api/headers.ts';
import type { EventStream } from '../../api/http/event-stream.ts';
import type { StreamHall } from './hall.ts';
import type { PaidStreams } from './port.ts';
import { EventSink } from './sink.ts';

/** Paid streams as server-sent events, each for those that have its secret. */
export const paidEventStream = (
  streams: Pick<PaidStreams, 'read'>,
  hall: Pick<StreamHall, 'refusal' | 'enter' | 'leave' | 'drained'>,
): EventStream => ({
  open: (request, response, address, { id }) => {
    const found = streams.read(String(id), request.headers[SECRET_HEADER.toLowerCase()]?.toString());
    if (!found.ok) return found.error;
    const refusal = hall.refusal(address, found.value);
    if (refusal !== undefined) return refusal;
    const lastId = request.headers['last-event-id']?.toString();
    const reader = hall.enter(found.value, new EventSink(response), address, lastId);
    response.on('drain', () => hall.drained(reader));
    response.on('close', () => hall.leave(reader));
    return undefined;
  },
});
