import type { WorldPace } from '@perpmeter/sim/pace';
import { type ProcessChannel, sendTo } from '@perpmeter/sim/reader-load';
import type { Precedent } from '../../collect/load-watch.ts';
import { isWire } from '../../domain/read.ts';

/** True where a message says that the world slows no further; undefined where it is another message. */
function isSlowestIn(message: unknown): WorldPace['isSlowest'] | undefined {
  if (!isWire(message) || !isWire(message.pace)) return undefined;
  return message.pace.isSlowest === true;
}

/**
 * The simulated world, as the service of a demo sees it through the process that started both: it hears of the service's load,
 * and until it says that it is at its slowest, it can still do less.
 */
export function worldPace(parent: ProcessChannel): Precedent {
  let canYield = true;
  parent.on('message', (message) => {
    const isSlowest = isSlowestIn(message);
    if (isSlowest !== undefined) canYield = !isSlowest;
  });
  return {
    observe: (look, level) => sendTo(parent, { load: { ...look, level } }),
    canYield: () => canYield,
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
