import { AUDIT, type AuditView } from '../../src/modules/audit/port.ts';
import { CALENDAR } from '../../src/modules/calendar/port.ts';
import { PAID_STREAMS, type PaidStreams } from '../../src/modules/paid-stream/port.ts';
import { RECEIPTS } from '../../src/modules/receipts/port.ts';
import { MEASURED, type Measured } from '../../src/modules/second-reader/port.ts';
import { SPOT_PAST } from '../../src/modules/spot-history/port.ts';
import type { SpotPastView } from '../../src/modules/spot-history/store/spot-past.ts';
import { spotMidsBeside } from '../../src/modules/spot-market/market/spot-mids.ts';
import { SPOT_SIDE, type SpotSide } from '../../src/modules/spot-market/port.ts';
import { WATCHES, type Watches } from '../../src/modules/watch/port.ts';
import { WALLET_PROOFS, type WalletProofs } from '../../src/modules/watch-wallet/port.ts';
import { SPOT_MIDS } from '../../src/products/rows/spot-mid.ts';
import { type FilledPort, fill, type ReadPort, readPorts } from '../../src/runtime/port.ts';
import { exampleAudit } from './example-audit.ts';
import { exampleCalendar } from './example-calendar.ts';
import { exampleMeasured } from './example-measured.ts';
import { exampleReceipts } from './example-receipts.ts';
import { exampleSpot } from './example-spot.ts';
import { exampleSpotPast } from './example-spot-past.ts';
import { exampleStreams } from './example-stream.ts';
import { exampleProofs, exampleWatches } from './example-watch.ts';

/** The ports that modules have filled for their products. */
interface Opened {
  readonly audit: AuditView;
  readonly measured: Measured;
  readonly watches: Watches;
  readonly streams: PaidStreams;
  readonly proofs: WalletProofs;
  readonly spot: SpotSide;
  readonly spotPast: SpotPastView;
  /** Ports of the signing of sales. */
  readonly sale: readonly FilledPort[];
}

const exampleSale = (): readonly FilledPort[] => [
  fill(RECEIPTS, { roots: exampleReceipts, issued: () => 0, sign: () => undefined }),
];

/** Reads what the modules of the example have opened; parts of it may be others. */
export function examplePorts({
  audit = exampleAudit(),
  measured = exampleMeasured(),
  watches = exampleWatches(),
  streams = exampleStreams(),
  proofs = exampleProofs(),
  spot = exampleSpot(),
  spotPast = exampleSpotPast(),
  sale = exampleSale(),
}: Partial<Opened> = {}): ReadPort {
  return readPorts(
    fill(AUDIT, audit),
    fill(MEASURED, measured),
    fill(CALENDAR, exampleCalendar()),
    fill(SPOT_SIDE, spot),
    fill(SPOT_MIDS, spotMidsBeside(spot.spot)),
    fill(SPOT_PAST, spotPast),
    fill(WATCHES, watches),
    fill(PAID_STREAMS, streams),
    fill(WALLET_PROOFS, proofs),
    ...sale,
  );
}
