import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { PerpArbitrageFundingSignalAnswer } from '../../../packages/client/src/routes.ts';
import type { Answer } from '../../data/answer.ts';
import { useAnswer } from '../../data/answers.ts';
import { rowKey } from '../../data/funding.ts';
import { ErrorNotice, Standing } from '../../parts/states.tsx';
import { sizeText } from '../../text/size.ts';
import type { SizedBooks } from './line-costs.ts';

const EVERY_MS = 30_000;

type Signal = PerpArbitrageFundingSignalAnswer;

/** The call with the slippages of a size: a hundred pairs, as many as it answers, of the venues that are compared. */
export function sizedPath(sizeUsd: number, venues: readonly string[]): string {
  const of = venues.length === 0 ? '' : `&venues=${venues.join(',')}`;
  return `/v1/perp/arbitrage/funding-signal?notional_usd=${sizeUsd}&limit=100&min_diff=0&include_below_1k=true${of}`;
}

const REASONS: Readonly<Record<string, string>> = {
  too_thin: 'a book is too thin',
  not_followed: 'a book is not followed',
};

const reasonWords = (reason = 'a book is not known'): string =>
  REASONS[reason] ?? reason.replaceAll('_', ' ');

/** The slippages and fees of an answer; without one the reason. */
export function sizedBooks(answer: Answer<Signal>): SizedBooks {
  const slippageBps = new Map<string, number | null>();
  const takerFeeBps = new Map<string, number>();
  const reasons = new Map<string, string>();
  if (answer.state !== 'ready') {
    const lack =
      answer.state === 'loading'
        ? 'on its way'
        : answer.state === 'unpaid'
          ? 'not bought'
          : 'the funding signal could not be read';
    return { slippageBps, takerFeeBps, reasons, lack };
  }
  for (const { canonical_id, short, long, null_reasons: why = {} } of answer.body.opportunities) {
    reasons.set(canonical_id, reasonWords(why.entry_slippage_bps));
    for (const leg of [short, long]) {
      const key = rowKey({ venue: leg.venue, canonical_id });
      slippageBps.set(key, leg.slippage_notional_bps ?? null);
      takerFeeBps.set(key, leg.taker_fee_bps);
    }
  }
  const boughtAt = answer.purchase && answer.at;
  return { slippageBps, takerFeeBps, reasons, lack: '', boughtAt };
}

interface Sized {
  readonly sizeUsd: number;
  readonly answer: Answer<Signal>;
  readonly books: SizedBooks;
}

/** The slippages of a chosen size; undefined without one. */
export function useSized(sizeUsd: number | undefined, venues: readonly string[]): Sized | undefined {
  const path = sizeUsd === undefined ? undefined : sizedPath(sizeUsd, venues);
  const answer = useAnswer<Signal>(path, EVERY_MS);
  const books = useMemo(() => sizedBooks(answer), [answer]);
  return sizeUsd === undefined ? undefined : { sizeUsd, answer, books };
}

/** Sells the costs of a size, or says why they are missing; of those that were bought when that was, with the way to the present. */
export function SizedNotice({ sizeUsd, answer }: Sized): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  if (answer.state === 'loading') return null;
  if (answer.state === 'ready') return <Standing answer={answer} />;
  const what = `the costs of ${sizeText(sizeUsd)} a leg`;
  if (answer.state !== 'unpaid') return <ErrorNotice answer={answer} what={what} />;
  return (
    <details class="notice" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Not bought: {what}, one call of <code>/v1/perp/arbitrage/funding-signal</code>
      </summary>
      {isOpen && <ErrorNotice answer={answer} what={what} />}
    </details>
  );
}
