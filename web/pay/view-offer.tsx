import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { UnpaidCall } from '../data/answer.ts';
import { ask } from '../data/answers.ts';
import { atomicUsd, count } from '../text/number.ts';
import { ForSale, priceOf } from './for-sale.tsx';

export interface ViewOfferProps {
  readonly what: string;
  readonly calls: readonly UnpaidCall[];
  /** The call that has all of it; undefined where there is none. */
  readonly bundle?: string | undefined;
  /** True where the calls are all that the bundle has: then it is not offered at a higher price. */
  readonly isWhole?: boolean;
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

/** Calls for sale: by one payment where a bundle has all of them, else and beside it call by call. */
export function ViewOffer({ what, calls, bundle, isWhole = false }: ViewOfferProps): JSX.Element {
  const offer = useBundle(bundle);
  if (offer === undefined)
    return (
      <p class="notice loading" role="status">
        Reading the price …
      </p>
    );
  if (offer === 'none' || (isWhole && priceOf([offer]) > priceOf(calls)))
    return <ForSale what={what} calls={calls} />;
  return (
    <>
      <ForSale what={what} calls={[offer]} />
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
