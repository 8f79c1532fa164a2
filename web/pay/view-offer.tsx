import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { priceOf, type UnpaidCall } from '../data/answer.ts';
import { ask } from '../data/answers.ts';
import { bundleOffer } from '../data/bundle.ts';
import { atomicUsd, count } from '../text/number.ts';
import { ForSale } from './for-sale.tsx';

export interface ViewOfferProps {
  readonly what: string;
  readonly calls: readonly UnpaidCall[];
  /** The call that has all of it; undefined where there is none. */
  readonly bundle?: string | undefined;
}

/** The price of a bundle; `none` where the service does not sell it, undefined while that is not known. */
function useBundle(path: string | undefined): UnpaidCall | 'none' | undefined {
  const [asked, setAsked] = useState<{ path: string; call: UnpaidCall | 'none' }>();
  useEffect(() => {
    if (path === undefined) return;
    const stop = new AbortController();
    void ask(path, stop.signal).then((answer) => {
      const call = answer.state === 'unpaid' ? answer.calls[0] : undefined;
      if (!stop.signal.aborted) setAsked({ path, call: call ?? 'none' });
    });
    return () => stop.abort();
  }, [path]);
  if (path === undefined) return 'none';
  return asked?.path === path ? asked.call : undefined;
}

/** Calls for sale: by one payment those of a bundle, where it costs no more than they do; else and beside it call by call. */
export function ViewOffer({ what, calls, bundle }: ViewOfferProps): JSX.Element {
  const known = useBundle(bundle);
  if (known === undefined)
    return (
      <p class="notice loading" role="status">
        Reading the price …
      </p>
    );
  const offer = known === 'none' ? undefined : bundleOffer(known, calls);
  if (offer === undefined) return <ForSale what={what} calls={calls} />;
  return (
    <>
      <ForSale what={what} calls={offer.calls} covered={offer.covered} />
      <details class="fine">
        <summary>
          Or call by call: {count(calls.length)} {calls.length === 1 ? 'call' : 'calls'},{' '}
          {atomicUsd(priceOf(calls))}
        </summary>
        <ForSale what={`${what}, call by call`} calls={calls} />
      </details>
    </>
  );
}
