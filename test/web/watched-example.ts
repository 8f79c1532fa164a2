import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiOptions } from '../../src/api/server.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { WatchDesk } from '../../src/modules/watch/desk.ts';
import { WatchEngine } from '../../src/modules/watch/engine.ts';
import { operatorHandler } from '../../src/modules/watch/operator.ts';
import type { RuleState } from '../../src/modules/watch/port.ts';
import { openWatchStore } from '../../src/modules/watch/watch-store.ts';
import { WatchStream } from '../../src/modules/watch/watch-stream.ts';
import { OpenProofs } from '../../src/modules/watch-wallet/open-proofs.ts';
import type { DeliveryView } from '../../src/modules/webhook/delivery-view.ts';
import type { DeliveryState } from '../../src/modules/webhook/firing.ts';
import { loadCheckSigner } from '../../src/pay/recover.ts';
import type { Ports } from '../../src/products/define-product.ts';
import { exampleBooks } from '../api/example-books.ts';
import { examplePorts } from '../api/example-ports.ts';

interface WatchedOptions {
  /** Delivery by webhook as it stands of every watch that has one. */
  readonly delivery?: { readonly state: DeliveryState; readonly view: DeliveryView };
  readonly rules?: readonly RuleState[];
}

/** Watches over the example market, which are held once a paywall has let their purchase pass. */
export interface WatchedExample {
  /** Parts of the HTTP surface. */
  readonly over: (ports: Pick<ApiOptions, 'market' | 'clock'>) => Partial<ApiOptions>;
  readonly desk: () => WatchDesk;
  readonly engine: () => WatchEngine;
  close(): Promise<void>;
}

export async function watchedExample({ delivery, rules = [] }: WatchedOptions = {}): Promise<WatchedExample> {
  const isSigner = await loadCheckSigner();
  const folder = mkdtempSync(join(tmpdir(), 'watches-'));
  const store = openWatchStore(folder);
  const made: { engine?: WatchEngine; desk?: WatchDesk; stream?: WatchStream } = {};
  const over: WatchedExample['over'] = ({ market, clock }) => {
    const ports: Ports = {
      market,
      books: exampleBooks(),
      health: { all: () => [], of: () => undefined },
      clock,
      readPort: examplePorts(),
    };
    const engine = new WatchEngine({
      store,
      ports,
      routes: ROUTES,
      clock,
      owner: 'example',
      listener: {
        held: () => {},
        released: () => {},
        forgotten: () => {},
        told: (firing) => made.stream?.tell(firing),
      },
      statementOf: ({ id }) => `statement.of.${id}`,
      onError: (cause) => {
        throw cause;
      },
    });
    const posting = { fault: () => undefined, state: () => delivery?.state, prove: () => {} };
    const desk = new WatchDesk({ store, engine, clock, isCharging: false, delivery: posting });
    const stream = new WatchStream(desk);
    Object.assign(made, { engine, desk, stream });
    engine.turn();
    const operator = operatorHandler({
      engine,
      desk,
      deliveries: { view: () => delivery?.view },
      rules: () => rules,
      ports,
      routes: ROUTES,
      report: ({ error }) => {
        throw error;
      },
    });
    return {
      readPort: examplePorts({ watches: desk, proofs: new OpenProofs(isSigner) }),
      streams: new Map([['watch', stream]]),
      operatorHandlers: [operator],
    };
  };
  const there = <Part>(part: Part | undefined): Part => {
    if (part === undefined) throw new Error('the watches are not open yet');
    return part;
  };
  return {
    over,
    desk: () => there(made.desk),
    engine: () => there(made.engine),
    close: async () => {
      made.stream?.close();
      await made.engine?.stop();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
