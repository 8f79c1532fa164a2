import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what Linux (32768), macOS and Windows (49152) take for outgoing connections and for `listen(0)`. */
const FROM = 20_000;
const TO = 32_768;
const TRIES = 100;

/**
 * A port on which nobody listens. Outside the range from which the system takes ports by itself: one of those could be
 * somebody's before the process that it is for listens. Rejects with what `listen` says where there is none.
 *
 * @param promised a port that another part will listen on
 */
export async function freePort(host: string, promised?: number): Promise<number> {
  for (let tried = 1; ; tried++) {
    const port = randomInt(FROM, TO);
    if (port === promised) continue;
    const server = createServer();
    try {
      await once(server.listen(port, host), 'listening');
    } catch (cause) {
      if (tried === TRIES || !isTaken(cause)) throw cause;
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}

const isTaken = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && ['EADDRINUSE', 'EACCES'].includes(String(cause.code));
