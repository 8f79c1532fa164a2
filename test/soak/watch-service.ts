/**
 * A process that fires watches and delivers them, until it is killed: `watch-service <folder> <seed> <JSON of the watches>`. It
 * prints a line for each firing. With `drain` for a seed it fires no more, and prints all there is as JSON once honest receivers
 * have nothing to wait for. An hour of deliveries passes in half a minute.
 */
import { join } from 'node:path';
import { asMs } from '../../src/domain/units.ts';
import { openWatchStore } from '../../src/modules/watch/watch-store.ts';
import { Deliveries } from '../../src/modules/webhook/deliveries.ts';
import { openDeliveryRecords } from '../../src/modules/webhook/delivery-store.ts';
import { Outbound } from '../../src/modules/webhook/outbound.ts';
import { systemTimer, type Timer } from '../../src/runtime/timer.ts';
import { firingOf } from '../watch/delivery-rig.ts';
import { Random } from './random.ts';

/** The report of a process that has drained. */
export interface DrainedWatch {
  readonly id: string;
  readonly fired: readonly number[];
  readonly acknowledged: number;
  readonly givenUp: readonly number[];
  readonly refused: number;
}

interface SoakedWatch {
  readonly id: string;
  readonly webhook: string;
  /** True of a receiver that answers its challenge sooner or later. */
  readonly isHonest: boolean;
}

const SPEED = 120;
const FIRE_EVERY_MS = 20;
const LOOK_EVERY_MS = 50;
const [folder = '', seed = '', list = '[]'] = process.argv.slice(2);
const watches = JSON.parse(list) as readonly SoakedWatch[];
const clock = { now: () => asMs(Date.now() * SPEED) };
/** Deadlines stay long enough for a machine that is busy: they are the only waits of less than a second. */
const timer: Timer = (ms, run) => systemTimer(Math.max(ms / SPEED, Math.min(ms, 1000)), run);
const store = openWatchStore(join(folder, 'watches'));
const deliveries = new Deliveries({
  term: () => 1,
  store,
  records: openDeliveryRecords(join(folder, 'deliveries')),
  // Every public name leads into this host: no name may be connected to.
  outbound: new Outbound({ timer, resolve: async () => ['1.1.1.1', '127.0.0.1'] }),
  sign: () => undefined,
  rules: { allowLoopback: true },
  bodyOf: ({ watchId, seq }) => ({ watch_id: watchId, sequence: seq }),
  wordsOf: () => '',
  clock,
  timer,
  report: ({ error }) => {
    throw error;
  },
});
for (const { id, webhook } of watches)
  deliveries.add({ id, webhook, isOperators: false, endsAt: Number.MAX_SAFE_INTEGER });

const isWaiting = ({ id }: SoakedWatch): boolean => {
  const state = deliveries.state(id);
  return state === undefined || state.state === 'unproven' || state.waiting > 0;
};
if (seed === 'drain') {
  const looking = setInterval(() => {
    if (watches.some((watch) => watch.isHonest && isWaiting(watch))) return;
    clearInterval(looking);
    const drained = watches.map(
      ({ id }): DrainedWatch => ({
        id,
        fired: store.firings(id, 0, Number.MAX_SAFE_INTEGER).map(({ seq }) => seq),
        acknowledged: store.acknowledged(id),
        givenUp: deliveries.view(id)?.givenUp.map(({ seq }) => seq) ?? [],
        refused: deliveries.counts.refused,
      }),
    );
    process.stdout.write(`${JSON.stringify(drained)}\n`);
    void deliveries.stop().then(() => store.close());
  }, LOOK_EVERY_MS);
} else {
  const random = new Random(Number(seed));
  setInterval(() => {
    const { id } = random.pick(watches);
    const last = store.firings(id, 0, Number.MAX_SAFE_INTEGER).at(-1)?.seq ?? 0;
    const firing = firingOf(id, last + 1);
    void store.save({ firings: [firing] });
    deliveries.queue(firing);
    process.stdout.write('fired\n');
  }, FIRE_EVERY_MS);
}
