import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import type { PrivateKeyAccount } from 'viem/accounts';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type Clock, systemClock } from '../../src/domain/clock.ts';
import { isWire, wireArray } from '../../src/domain/read.ts';
import { asMs } from '../../src/domain/units.ts';
import { checksumAddress } from '../../src/pay/address.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import { quantityText, type Rpc, readQuantity } from '../../src/pay/rpc.ts';
import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import type { Scheme } from '../../src/pay/scheme.ts';
import { openChannels } from '../../src/pay/schemes/batch-settlement/open.ts';
import { placeChannelContracts } from '../../src/pay/schemes/batch-settlement/sandbox/place-contracts.ts';
import { createSandboxFacilitator } from '../../src/pay/schemes/exact/sandbox-facilitator.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import { createMemoryStore } from '../../test/pay/ledger-memory.ts';
import { type PaidServer, startPaidServer } from '../../test/pay/paid-server.ts';
import { paidRoutes } from '../../test/pay/routes.ts';
import { sandboxConfig } from '../../test/pay/sandbox-config.ts';

/** Sales of one way of paying, and what the chain was sent for them. */
export interface GasOfSales {
  readonly calls: number;
  readonly transactions: number;
  readonly gas: number;
}

/** Purchases from sellers on a chain of this machine. */
export interface MeteredSeller {
  /** Buys by `exact`, each call a transfer. */
  exact(calls: number): Promise<GasOfSales>;
  /** Buys by a channel of its own from its deposit to the claim of all its calls. */
  channel(calls: number): Promise<GasOfSales>;
  stop(): Promise<void>;
}

/** A route of the cheapest price. */
const PATH = '/v1/funding/current?ticker=BTC';
export const PRICE_USD = 0.001;
const PRICE = 1_000n;
const NETWORK = 'eip155:8453';
/** Calls for which a buyer deposits at once: what the service asks for where nothing else is set. */
const DEPOSIT_CALLS = 2_500;
/** A channel is claimed once nothing was sold by it for so long. */
const UNTIL_CLAIMED_MS = 2 * HOUR_MS;

type Pay = typeof fetch;

/** Starts the chain; each purchase is from a seller of its own, with the reference facilitators of both schemes. */
export async function startMeteredSeller(): Promise<MeteredSeller> {
  const chain = await startSandboxChain();
  await placeChannelContracts(chain.rpc);
  return {
    async exact(calls) {
      const account = await funded(chain, calls);
      const seller = await sellOn(chain);
      const pay = payer(new x402Client().register(NETWORK, new ExactEvmScheme(account)));
      const found = await metered(chain.rpc, calls, () => buy(seller, pay, calls));
      await seller.server.stop();
      return found;
    },
    async channel(calls) {
      const account = await funded(chain, calls);
      const seller = await sellOn(chain);
      const pay = payer(new x402Client().register(NETWORK, new BatchSettlementEvmScheme(account as never)));
      const found = await metered(chain.rpc, calls, async () => {
        await buy(seller, pay, calls);
        seller.passTime(UNTIL_CLAIMED_MS);
        await seller.channels.watch?.look();
      });
      await seller.server.stop();
      return found;
    },
    stop: () => chain.stop(),
  };
}

/** A seller with a ledger and a clock of its own. */
interface Seller {
  readonly server: PaidServer;
  readonly channels: Scheme;
  passTime(ms: number): void;
}

async function buy({ server }: Seller, pay: Pay, calls: number): Promise<void> {
  for (let i = 0; i < calls; i++) {
    const { status } = await pay(server.url + PATH);
    if (status !== 200) throw new Error(`a call was answered with ${status}`);
  }
}

async function sellOn(chain: SandboxChain): Promise<Seller> {
  const store = createMemoryStore();
  let aheadMs = 0;
  const clock: Clock = { now: () => asMs(systemClock.now() + aheadMs) };
  const authorizerKey = generatePrivateKey();
  const { address: receiverAuthorizer } = privateKeyToAccount(authorizerKey);
  const config = {
    ...sandboxConfig(chain, { baseUrl: 'http://127.0.0.1', ledgerPath: '', serviceName: 'bench' }),
    channels: { authorizerKey, receiverAuthorizer, withdrawDelay: 86_400, depositCalls: DEPOSIT_CALLS },
  };
  const ledger = new Ledger({ store, clock, owner: 'bench' });
  const channels = await openChannels({ config, routes: paidRoutes(), ledger, clock });
  const { rpcUrl, network, facilitator, payee } = chain;
  const server = await startPaidServer({
    facilitator: await createSandboxFacilitator({ rpcUrl, network, privateKey: facilitator.privateKey }),
    payTo: checksumAddress(payee.address),
    store,
    clock,
    schemes: [channels],
  });
  return {
    server,
    channels,
    passTime(ms) {
      aheadMs += ms;
    },
  };
}

const payer = (client: x402Client): Pay => wrapFetchWithPayment(fetch, client) as Pay;

/** A new account with the money for so many calls, or for a deposit. */
async function funded(chain: SandboxChain, calls: number): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey());
  await chain.mint(account.address, BigInt(Math.max(calls, DEPOSIT_CALLS)) * PRICE);
  return account;
}

/** Adds up the gas of every transaction in the blocks that are made meanwhile. */
async function metered(rpc: Rpc, calls: number, work: () => Promise<void>): Promise<GasOfSales> {
  const before = await height(rpc);
  await work();
  const last = await height(rpc);
  let gas = 0;
  let transactions = 0;
  for (let block = before + 1; block <= last; block++) {
    const receipts = wireArray(await rpc('eth_getBlockReceipts', [quantityText(block)])) ?? [];
    for (const receipt of receipts.filter(isWire)) {
      if (receipt.status !== '0x1') throw new Error('a transaction was reverted');
      gas += Number(readQuantity(receipt.gasUsed));
      transactions += 1;
    }
  }
  return { calls, transactions, gas };
}

const height = async (rpc: Rpc): Promise<number> => Number(readQuantity(await rpc('eth_blockNumber', [])));
