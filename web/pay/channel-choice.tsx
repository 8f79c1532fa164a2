import type { JSX } from 'preact';
import type { UnpaidCall } from '../data/answer.ts';
import { atomicUsd } from '../text/number.ts';
import { purchasesOfTab, remaining } from './cap.ts';

const CHOICE = 'perpmeter-channel';
/** A channel costs less from the third call on. */
const FROM_CALL = 3;

/** True if a channel is what the visitor chose, or what pays from this call on. */
export function isByChannel(calls: readonly UnpaidCall[]): boolean {
  if (!isOffered(calls)) return false;
  const chosen = sessionStorage.getItem(CHOICE);
  return chosen === null ? purchasesOfTab() + calls.length >= FROM_CALL : chosen === 'yes';
}

const isOffered = (calls: readonly UnpaidCall[]): boolean =>
  calls.every(({ challenge }) => challenge?.others.some(({ scheme }) => scheme === 'batch-settlement'));

interface ChannelChoiceProps {
  readonly calls: readonly UnpaidCall[];
  readonly isChosen: boolean;
  readonly choose: (isChosen: boolean) => void;
}

/** Offers to pay by channel where the seller does, and says what that deposits. */
export function ChannelChoice({ calls, isChosen, choose }: ChannelChoiceProps): JSX.Element | null {
  if (!isOffered(calls)) return null;
  return (
    <label class="wide">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={({ currentTarget }) => {
          sessionStorage.setItem(CHOICE, currentTarget.checked ? 'yes' : 'no');
          choose(currentTarget.checked);
        }}
      />{' '}
      By a payment channel: the wallet signs a deposit of at most {atomicUsd(remaining())} where too little is
      in it, then a key of this browser each call, without a transaction; the rest comes back on request
    </label>
  );
}
