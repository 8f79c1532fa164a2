import { type Clock, systemClock } from '../../domain/clock.ts';
import { isWire } from '../../domain/read.ts';
import { type GasReserve, OUT_OF_GAS } from '../../pay/facilitator.ts';
import { quantityText, type Rpc, RpcError, readQuantity } from '../../pay/rpc.ts';
import { claimGas, MOST_CLAIMED } from '../../pay/schemes/batch-settlement/claim-gas.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';

/** The bid of a transaction, wei per unit of gas. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export interface GasOptions {
  readonly rpc: Rpc;
  /** The account that pays. */
  readonly address: string;
  /** Above this nothing is settled, wei per unit of gas. */
  readonly maxFeePerGas: bigint;
  /** Gas of the largest transaction that the account is to pay for. */
  readonly largestGas?: bigint | undefined;
  readonly clock?: Clock;
}

/** The price of gas, and whether the account can pay it. */
export interface GasOracle {
  /** Rejects with RpcError. */
  fees(): Promise<Fees>;
  /** The bid of a transaction that replaces one that bid `old`, where `now` would do for a new one. */
  over(old: Fees, now: Fees): Fees;
  /** The reason for which nothing can be settled now; undefined where it can. Rejects with RpcError. */
  obstacle(): Promise<string | undefined>;
  /** The reserve by the last look, which says nothing any more after some minutes; undefined before the first. */
  readonly reserve: GasReserve | undefined;
  /** The node said something that contradicts what is remembered. */
  forget(): void;
}

/** More than a transfer by authorization takes, with a contract wallet's check of the signature. */
const TRANSFER_GAS = 150_000n;
/** Gas for a call beyond what the node estimates: the state may differ a little when it is mined. */
const GAS_MARGIN_PERCENT = 20n;

/** The gas that a transaction may use, which the account must be able to pay: what it is estimated to take, and a margin. */
export const gasLimit = (estimated: bigint): bigint => (estimated * (100n + GAS_MARGIN_PERCENT)) / 100n;

/** Of a claim of as many channels as go into one. */
export const CLAIM_GAS = gasLimit(BigInt(claimGas(MOST_CLAIMED)));
/** The account must be able to pay so many of the largest transactions at the price that is bid. */
const RESERVE = 10;
/** Below so many it is time to fill it up. */
const LOW = 2 * RESERVE;
const FEES_MS = 3_000;
const BALANCE_MS = 15_000;
/** A reserve that was not seen for so long is not known: it is looked at once a minute. */
const KNOWN_MS = 5 * MINUTE_MS;
const MIN_TIP = 1_000_000n;

const GAS_TOO_DEAR = 'gas_above_cap';

export function createGasOracle({
  rpc,
  address,
  maxFeePerGas: cap,
  largestGas = TRANSFER_GAS,
  clock = systemClock,
}: GasOptions): GasOracle {
  let reserve: GasReserve | undefined;
  const fees = remembered(FEES_MS, () => readFees(rpc, cap));
  const balance = remembered(BALANCE_MS, async () =>
    expectQuantity(await rpc('eth_getBalance', [address, 'latest'])),
  );
  return {
    fees: async () => (await fees.get()).bid,
    over(old, now) {
      const maxFeePerGas = least(cap, most(now.maxFeePerGas, raised(old.maxFeePerGas)));
      const tip = most(now.maxPriorityFeePerGas, raised(old.maxPriorityFeePerGas));
      return { maxFeePerGas, maxPriorityFeePerGas: least(maxFeePerGas, tip) };
    },
    async obstacle() {
      const [{ bid, base }, owned] = await Promise.all([fees.get(), balance.get()]);
      const transactions = Number(owned / (largestGas * most(bid.maxFeePerGas, 1n)));
      const isShort = transactions < RESERVE;
      reserve = { address, transactions, seenAt: clock.now(), isLow: transactions < LOW, isShort };
      if (base > cap) return GAS_TOO_DEAR;
      return isShort ? OUT_OF_GAS : undefined;
    },
    get reserve() {
      if (reserve === undefined || clock.now() - reserve.seenAt <= KNOWN_MS) return reserve;
      return { ...reserve, transactions: undefined, isLow: false, isShort: false };
    },
    forget() {
      fees.forget();
      balance.forget();
    },
  };
}

/** Twice the base fee holds for six full blocks in a row; what is not needed is not paid. */
async function readFees(rpc: Rpc, cap: bigint): Promise<{ readonly bid: Fees; readonly base: bigint }> {
  const [block, tip] = await Promise.all([
    rpc('eth_getBlockByNumber', ['latest', false]),
    rpc('eth_maxPriorityFeePerGas', []).catch(() => quantityText(MIN_TIP)),
  ]);
  const base = expectQuantity(isWire(block) ? block.baseFeePerGas : undefined);
  const wanted = readQuantity(tip) ?? MIN_TIP;
  const maxFeePerGas = least(cap, 2n * base + wanted);
  return { base, bid: { maxFeePerGas, maxPriorityFeePerGas: least(wanted, maxFeePerGas) } };
}

/** Nodes take a replacement that bids a tenth more in both fields (geth's `txpool.pricebump`), and refuse any other. */
const raised = (old: bigint): bigint => old + old / 8n + 1n;
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

function expectQuantity(value: unknown): bigint {
  const quantity = readQuantity(value);
  if (quantity === undefined) throw new RpcError('the node answered with something that is no number');
  return quantity;
}

/** One call for all who ask within `ms`; a failure is not remembered. */
function remembered<T>(ms: number, read: () => Promise<T>) {
  let kept: Promise<T> | undefined;
  let until = 0;
  return {
    get(): Promise<T> {
      const now = performance.now();
      if (kept !== undefined && now < until) return kept;
      const asked = read();
      kept = asked;
      until = now + ms;
      asked.catch(() => {
        if (kept === asked) kept = undefined;
      });
      return asked;
    },
    forget(): void {
      kept = undefined;
    },
  };
}
