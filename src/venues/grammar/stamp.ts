import type { Confidence } from '../../domain/amount.ts';
import type { PublishedStamp } from '../../domain/stamp.ts';

/**
 * The stamp of a candle whose open is read.
 *
 * @param source shows that the candle bears its open time
 */
export const candleOpen = (
  source: string,
  confidence: Confidence,
): PublishedStamp & { readonly means: 'begin' } => ({
  means: 'begin',
  evidence: `open time of a candle, of which the open is read: the price at exactly that instant (${source})`,
  confidence,
});
