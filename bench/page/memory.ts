import type { CDPSession } from 'playwright-core';

interface HeapUsage {
  readonly usedSize: number;
  readonly embedderHeapUsedSize: number;
  readonly backingStorageSize: number;
}

type Send = <Answer>(method: string) => Promise<Answer>;

/** Speaks to a worker through the session of its page. */
function workerOf(session: CDPSession, sessionId: string): Send {
  let last = 0;
  return (method) =>
    new Promise((resolve) => {
      last += 1;
      const id = last;
      const take = (event: { sessionId: string; message: string }): void => {
        const said = JSON.parse(event.message) as { id?: number; result?: never };
        if (event.sessionId !== sessionId || said.id !== id) return;
        session.off('Target.receivedMessageFromTarget', take);
        resolve(said.result as never);
      };
      session.on('Target.receivedMessageFromTarget', take);
      void session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) });
    });
}

/** Bytes of a thread after its garbage was collected: objects, those of the browser that belong to them, and buffers. */
async function heldBy(send: Send): Promise<number> {
  // One collection may free an object that held another.
  for (let at = 0; at < 3; at += 1) await send('HeapProfiler.collectGarbage');
  const { usedSize, embedderHeapUsedSize, backingStorageSize } =
    await send<HeapUsage>('Runtime.getHeapUsage');
  return usedSize + embedderHeapUsedSize + backingStorageSize;
}

/** The memory of a page and its workers, MB; the workers are those that it has when this is called. */
export async function memoryReader(session: CDPSession): Promise<() => Promise<number>> {
  const threads: Send[] = [(method) => session.send(method as 'Runtime.getHeapUsage') as never];
  session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (targetInfo.type === 'worker') threads.push(workerOf(session, sessionId));
  });
  await session.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: false,
  });
  if (threads.length < 2) throw new Error('the matrix has no worker');
  return async () => {
    let bytes = 0;
    for (const send of threads) bytes += await heldBy(send);
    return bytes / 2 ** 20;
  };
}
