import { ok, type Result } from '../../src/domain/errors.ts';
import type { UnixMs } from '../../src/domain/units.ts';
import type { MarketView } from '../../src/market/view.ts';
import type { LegBooks } from '../../src/products/books/leg-book.ts';
import { signalNow } from '../../src/products/perp-arbitrage-funding-signal.ts';
import { type AskedFees, PUBLIC_FEES } from '../../src/products/rows/asked-fees.ts';

type Present = ReturnType<typeof signalNow>;
type PresentAnswer = Present extends Result<{ readonly answer: () => infer Answer }> ? Answer : never;

/** A signal of the present alone, as it is before anything is stored. */
export function fundingSignal(
  view: MarketView,
  books: LegBooks | undefined,
  asked: Parameters<typeof signalNow>[2],
  now: UnixMs,
  fees: AskedFees = PUBLIC_FEES,
): Result<PresentAnswer> {
  const signal = signalNow(view, books, asked, now, fees);
  return signal.ok ? ok(signal.value.answer()) : signal;
}
