import { startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { Cluster } from '../feed/cluster.ts';
import type { Member } from '../feed/member.ts';
import { PostgresServer } from '../pay/postgres-server.ts';
import { Relay } from '../pay/relay.ts';
import { diskObstacle, mountSmallDisk, type SmallDisk } from '../small-disk.ts';
import { ClusterHistory } from './cluster-history.ts';
import { ContestedPayments } from './contested-payments.ts';
import { DoubledPayments } from './doubled-payments.ts';
import { FaultyFacilitator } from './pay-facilitator.ts';
import { BASE_URL, BLOCK_SECONDS } from './pay-run.ts';
import { openWallets } from './pay-wallets.ts';
import type { Random } from './random.ts';

export interface SellerMember extends Member {
  /** The network between it and the ledger. */
  readonly ledger: Relay;
}

/** Two collectors, sellers that are paid on a chain, and the servers between them. */
export interface ClusterMarket {
  readonly cluster: Cluster;
  readonly ledger: PostgresServer;
  readonly ledgerUrl: string;
  /** The disk of the ledger's server; undefined where no small disk can be made here. */
  readonly disk: SmallDisk | undefined;
  /** The disk of one of the servers of the feed, and its place; undefined likewise. */
  readonly feedDisk: { readonly disk: SmallDisk; readonly server: number } | undefined;
  readonly random: Random;
  readonly collectors: readonly [Member, Member];
  readonly sellers: readonly [SellerMember, SellerMember];
  readonly payments: DoubledPayments;
  readonly contests: ContestedPayments;
  /** Undefined where it is not wanted, or cannot be kept here. */
  readonly history: ClusterHistory | undefined;
}

interface MarketSettings {
  /** Of the sellers besides those of the ledger and the chain. */
  readonly sellerEnv?: Readonly<Record<string, string>>;
  /** True if the history is kept; default not. */
  readonly records?: boolean;
}

/** Room for the ledger's server; a full disk is what is left after it is filled. */
const DISK_MB = 400;
/** The same for a server of the feed. */
const FEED_DISK_MB = 64;

/** Starts everything for as long as `use` takes. */
export async function withClusterMarket<T>(
  random: Random,
  use: (market: ClusterMarket) => Promise<T>,
  settings: MarketSettings = {},
): Promise<T> {
  const ends: (() => Promise<unknown>)[] = [];
  try {
    return await use(await open(random, settings, ends));
  } finally {
    for (const end of ends) await end();
  }
}

async function open(
  random: Random,
  { sellerEnv, records = false }: MarketSettings,
  ends: (() => Promise<unknown>)[],
): Promise<ClusterMarket> {
  const disk = diskObstacle() === undefined ? await mountSmallDisk(DISK_MB) : undefined;
  ends.unshift(async () => disk?.remove());
  const ledger = await PostgresServer.start({ within: disk?.path });
  ends.unshift(() => ledger.stop());
  const chain = await startSandboxChain({ blockTimeSeconds: BLOCK_SECONDS });
  ends.unshift(() => chain.stop());
  const facilitator = await FaultyFacilitator.start(chain, random);
  ends.unshift(() => facilitator.stop());
  facilitator.calm();
  const ledgerUrl = await ledger.database('cluster');
  const history = records ? await ClusterHistory.start(ends) : undefined;
  const feedDisk = diskObstacle() === undefined ? await mountSmallDisk(FEED_DISK_MB) : undefined;
  ends.unshift(async () => feedDisk?.remove());
  const cluster = await Cluster.start(3, true, feedDisk === undefined ? [] : [feedDisk.path]);
  ends.unshift(() => cluster.stop());
  const collectors = [await cluster.collector(1), await cluster.collector(2)] as const;
  const seller = async (name: string): Promise<SellerMember> => {
    const relay = await Relay.start(ledger.port);
    ends.unshift(() => relay.stop());
    const member = await cluster.seller(name, {
      PAYMENTS_MODE: 'remote',
      PAY_TO_ADDRESS: chain.payee.address,
      RPC_URL: chain.rpcUrl,
      PERPMETER_BASE_URL: BASE_URL,
      FACILITATOR_URL: facilitator.url,
      LEDGER_URL: ledger.url('cluster', 'owner', relay.port),
      RECEIPT_KEYS_FILE: ledger.besides('receipt-keys.json'),
      ...sellerEnv,
    });
    return Object.assign(member, { ledger: relay });
  };
  const sellers = [await seller('a'), await seller('b')] as const;
  await history?.begin(cluster);
  const buying = { random, chain, buyers: await openWallets(chain) };
  return {
    cluster,
    ledger,
    ledgerUrl,
    disk,
    random,
    collectors,
    sellers,
    history,
    feedDisk: feedDisk && { disk: feedDisk, server: 0 },
    payments: new DoubledPayments(buying),
    contests: new ContestedPayments(buying),
  };
}
