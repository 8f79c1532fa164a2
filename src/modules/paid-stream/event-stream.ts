import { SECRET_HEADER } from '../../api/headers.ts';
import { type EventSink, ServerSentEvents } from '../../api/http/event-sink.ts';
import type { EventStream } from '../../api/http/event-stream.ts';
import type { Failure } from '../../domain/errors.ts';
import type { StreamHall } from './hall.ts';
import type { PaidStreams } from './port.ts';
import { type Asked, WebSocketDoor } from './web-socket-door.ts';

/** Paid streams as events of one form by two protocols, each for those that have its secret. */
export function paidEventStream(
  streams: Pick<PaidStreams, 'read'>,
  hall: Pick<StreamHall, 'stopping' | 'refusal' | 'enter'>,
): EventStream {
  const sockets = new WebSocketDoor();
  const enter = (
    id: unknown,
    { secret, lastId }: Asked,
    address: string,
    sink: () => EventSink,
  ): Failure | undefined => {
    // First of all: the store may be closed already.
    if (hall.stopping !== undefined) return hall.stopping;
    const found = streams.read(String(id), secret);
    if (!found.ok) return found.error;
    const refusal = hall.refusal(address, found.value);
    if (refusal === undefined) hall.enter(found.value, sink(), address, lastId);
    return refusal;
  };
  return {
    open: ({ headers }, response, address, { id }) => {
      const asked = {
        secret: headers[SECRET_HEADER.toLowerCase()]?.toString(),
        lastId: headers['last-event-id']?.toString(),
      };
      return enter(id, asked, address, () => new ServerSentEvents(response));
    },
    upgrade: (asked, address, { id }) =>
      sockets.take(asked, (stated, sink) => enter(id, stated, address, () => sink)),
  };
}
