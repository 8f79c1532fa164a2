import { silentLogger } from '../../src/collect/logger.ts';
import type { UnixMs } from '../../src/domain/units.ts';
import { HistoryReader } from '../../src/history/reader.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import { RollUps } from '../../src/history/roll-ups.ts';
import type { HistoryStore } from '../../src/history/store.ts';
import { CorrectionWatch } from '../../src/modules/corrections/correction-watch.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';
import type { ManualTime } from '../collect/manual-time.ts';

/** The parts of a history that read and roll up under corrections, over a store and at a time of its own. */
export function correctedRig(store: HistoryStore, time: ManualTime) {
  const common = { store, clock: time.clock, timer: time.timer, logger: silentLogger };
  const readings = (at: UnixMs) => watch.at(at);
  const rollUps = new RollUps({ ...common, oldestWaiting: () => undefined, readings });
  const watch = new CorrectionWatch({
    ...common,
    sampleMs: DEFAULT_RETENTION.sampleDays * DAY_MS,
    onChange: () => {},
    onSplit: (from, to, assets) => rollUps.written(from, to, assets),
  });
  const reader = new HistoryReader({
    store,
    clock: time.clock,
    retention: DEFAULT_RETENTION,
    readings,
    rolledTo: () => rollUps.rolledTo,
    currentTo: (canonicalId) => rollUps.currentTo(canonicalId),
  });
  return { rollUps, watch, reader };
}
