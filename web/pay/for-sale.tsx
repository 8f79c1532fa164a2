import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { chainIdOf } from '../../packages/client/src/index.ts';
import type { UnpaidCall } from '../data/answers.ts';
import { useHealth } from '../data/service.ts';
import { CopyButton, curlOf } from '../parts/tools.tsx';
import { atomicUsd, count } from '../text/number.ts';
import { capOf, capText, remaining, setCap } from './cap.ts';
import { isOpen, type Outcome, purchase } from './purchase.ts';
import { useWallets, type Wallet } from './wallets.ts';

interface ForSaleProps {
  readonly what: string;
  readonly calls: readonly UnpaidCall[];
  /** Told of each answer that was bought. */
  readonly onBought?: (outcome: Outcome) => void;
}

const priceOf = (calls: readonly UnpaidCall[]): bigint =>
  calls.reduce((sum, { challenge }) => sum + BigInt(challenge?.accepts[0]?.amount ?? 0), 0n);

/** Calls with their price and receiver, and the button that pays them. */
export function ForSale({ what, calls, onBought }: ForSaleProps): JSX.Element {
  const health = useHealth();
  const mode = health.state === 'ready' ? health.body.payments.mode : undefined;
  const requirement = calls[0]?.challenge?.accepts[0];
  return (
    <section class="notice sale" aria-label={`For sale: ${what}`}>
      <h2>
        {what}: {calls.length === 1 ? 'one call' : `${count(calls.length)} calls`},{' '}
        {atomicUsd(priceOf(calls))}
      </h2>
      {requirement === undefined ? (
        <p>Its price cannot be read, or cannot be paid from a browser.</p>
      ) : (
        <>
          <dl class="terms">
            <dt>Price</dt>
            <dd>
              <strong>{atomicUsd(priceOf(calls))}</strong> in {requirement.extra.name}
              {calls.length > 1 && `, each call by a payment of its own`}
            </dd>
            <dt>Receiver</dt>
            <dd>
              <code class="address">{requirement.payTo}</code>
            </dd>
            <dt>Token</dt>
            <dd>
              <code class="address">{requirement.asset}</code> on chain {chainIdOf(requirement)}
            </dd>
          </dl>
          <Checkout calls={calls} mode={mode} {...(onBought !== undefined && { onBought })} />
        </>
      )}
      <CopyButton label="Copy as curl" text={calls.map(({ path }) => curlOf(path, '-i ')).join('\n')} />
    </section>
  );
}

type CheckoutProps = Omit<ForSaleProps, 'what'> & { mode: string | undefined };

function Checkout({ calls, mode, onBought }: CheckoutProps): JSX.Element {
  const wallets = useWallets(mode);
  const [chosen, setChosen] = useState(0);
  const [cap, changeCap] = useState(capText);
  const [said, say] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const price = priceOf(calls);
  const again = calls.some(({ path }) => isOpen(path));
  const fits = capOf(cap) !== undefined && (again || price <= remaining());
  const wallet = wallets[chosen];
  const pay = async (from: Wallet): Promise<void> => {
    setBusy(true);
    say(undefined);
    say(await payAll(calls, from, onBought));
    setBusy(false);
  };
  if (mode === undefined) return <p class="fine">Reading how payments are settled here …</p>;
  if (wallets.length === 0) return <NoWallet />;
  return (
    <>
      <div class="bar">
        <WalletChoice wallets={wallets} chosen={chosen} choose={setChosen} />
        <CapInput cap={cap} change={changeCap} />
        <button
          type="button"
          class="primary"
          disabled={isBusy || !fits || wallet === undefined}
          onClick={() => wallet !== undefined && void pay(wallet)}
        >
          {isBusy ? 'Paying …' : again ? 'Present the payment again' : `Pay ${atomicUsd(price)}`}
        </button>
        <span class="fine">left of the cap: {atomicUsd(remaining())}</span>
      </div>
      {!fits && <OverCap price={price} />}
      <p role="status">{said}</p>
    </>
  );
}

function OverCap({ price }: { price: bigint }): JSX.Element {
  return (
    <p class="bad">
      The cap leaves {atomicUsd(remaining())}, and this costs {atomicUsd(price)}.
    </p>
  );
}

/** Pays one call after another; what is said of the first that was not answered. */
async function payAll(
  calls: ForSaleProps['calls'],
  from: Wallet,
  onBought: ForSaleProps['onBought'],
): Promise<string | undefined> {
  for (const call of calls) {
    const outcome = await purchase(call, from);
    onBought?.(outcome);
    if (outcome.kind === 'refused') return `Not bought. ${outcome.reason}`;
    if (outcome.kind !== 'bought') return `Not answered yet. ${outcome.reason}`;
  }
  return undefined;
}

function NoWallet(): JSX.Element {
  return (
    <p>
      There is no wallet in this browser (EIP-1193). Any x402 client can buy it: the button below has the
      call.
    </p>
  );
}

interface WalletChoiceProps {
  readonly wallets: readonly Wallet[];
  readonly chosen: number;
  readonly choose: (at: number) => void;
}

function WalletChoice({ wallets, chosen, choose }: WalletChoiceProps): JSX.Element {
  return (
    <label>
      Wallet
      <select value={String(chosen)} onChange={(event) => choose(Number(event.currentTarget.value))}>
        {wallets.map(({ name }, at) => (
          <option key={name} value={String(at)}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function CapInput({ cap, change }: { cap: string; change: (text: string) => void }): JSX.Element {
  return (
    <label>
      Cap of this tab, USD
      <input
        type="text"
        inputMode="decimal"
        size={8}
        value={cap}
        aria-invalid={capOf(cap) === undefined}
        onInput={(event) => {
          setCap(event.currentTarget.value);
          change(event.currentTarget.value);
        }}
      />
    </label>
  );
}
