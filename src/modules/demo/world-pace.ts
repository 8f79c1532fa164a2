import type { WorldPace } from '@perpmeter/sim/pace';
import { type ProcessChannel, sendTo } from '@perpmeter/sim/reader-load';
import type { Precedent } from '../../collect/load-watch.ts';
import { isWire } from '../../domain/read.ts';

/** The world answers each look, of which there is one a second: one that says nothing for so long does nothing for the service, ms. */
const SILENT_MS = 5_000;

/** True where a message says that the world slows no further; undefined where it is another message. */
function isSlowestIn(message: unknown): WorldPace['isSlowest'] | undefined {
  if (!isWire(message) || !isWire(message.pace)) return undefined;
  return message.pace.isSlowest === true;
}

/**
 * The simulated world, as the service of a demo sees it through the process that started both: it hears of the service's load,
 * and until it says that it is at its slowest, or says nothing any more, it can still do less.
 *
 * @param elapsed ms, of a clock that is never set back
 */
export function worldPace(parent: ProcessChannel, elapsed: () => number): Precedent {
  let isSlowest = false;
  /** When the world was first told of a load that it has not answered; undefined: it has answered. */
  let askedAt: number | undefined;
  parent.on('message', (message) => {
    const said = isSlowestIn(message);
    if (said === undefined) return;
    isSlowest = said;
    askedAt = undefined;
  });
  return {
    observe(look, level) {
      askedAt ??= elapsed();
      sendTo(parent, { load: { ...look, level } });
    },
    canYield: () => !isSlowest && (askedAt === undefined || elapsed() - askedAt < SILENT_MS),
  };
}

/** A started process. */
interface Spoken {
  readonly process: ProcessChannel;
}

/** Lets the service and the simulated world hear each other. */
export function relayPace(service: Spoken, sim: Spoken): void {
  service.process.on('message', (message) => sendTo(sim.process, message));
  sim.process.on('message', (message) => sendTo(service.process, message));
}
