import { setTimeout as wait } from 'node:timers/promises';
import { privateKeyToAccount } from 'viem/accounts';
import { startMcpService } from '../mcp/mcp-service.ts';
import { encodeHeader, type Signer, signAuthorization, v2Payload } from '../pay/wallet.ts';
import { compared } from './ledger-comparison.ts';
import { type Presented, type Presenter, type Question, TRANSPORTS } from './mcp-transports.ts';
import { Random } from './random.ts';

export interface McpSoakOptions {
  readonly seed: number;
  /** Authorizations, each presented several times at once. */
  readonly rounds: number;
  /** Rounds at a time. */
  readonly atOnce?: number;
  readonly progress?: (done: number) => void;
}

export interface McpSoakReport {
  readonly problems: readonly string[];
  /** By transport: how often it was asked, and how often it sold. */
  readonly transports: ReadonlyMap<string, { asked: number; sold: number }>;
  /** Rounds in which both HTTP and MCP were asked. */
  readonly mixed: number;
  readonly cut: number;
  /** Answers that were cut off and given again to the same payment. */
  readonly redelivered: number;
  readonly transfers: number;
  /** Atomic units. */
  readonly signed: bigint;
  readonly chainTotal: bigint;
  readonly ledgerTotal: bigint;
}

const BASIS: Question = {
  path: '/v1/perp/basis?ticker=BTC',
  tool: 'spread_and_carry',
  atomic: '5000',
  arguments: { product: 'perp-basis', ticker: 'BTC' },
};
const rates = (symbol: string): Question => ({
  path: `/v1/funding/current?symbol=${symbol}`,
  tool: 'funding_rates',
  atomic: '1000',
  arguments: { product: 'funding-current', symbol },
});
/** Requests with one authorization: the same by all, or two answers of one price. */
const ASKED: readonly (readonly Question[])[] = [[rates('BTC')], [BASIS], [rates('BTC'), rates('ETH')]];
/** A minute in all: how long a settlement takes on a busy machine is not what is judged. */
const WAITS_MS = Array.from({ length: 12 }, (_, n) => 15 * 2 ** n);

/** Presents each authorization over HTTP and both generations of MCP at once; some buyers hang up. */
export async function soakMcp(options: McpSoakOptions): Promise<McpSoakReport> {
  const { seed, rounds, atOnce = 4, progress } = options;
  const random = new Random(seed);
  // Each round comes from an address of its own: what is soaked is the sale, not the limits.
  const service = await startMcpService({ trustProxy: { kind: 'hops', hops: 1 } });
  try {
    const buyer = privateKeyToAccount(service.chain.buyer.privateKey);
    const tally = new Tally();
    let begun = 0;
    const work = async (): Promise<void> => {
      while (begun < rounds) {
        const round = begun++;
        await playRound({ url: service.url, address: addressOf(round), random, tally, buyer, service });
        if (round % 100 === 99) progress?.(round + 1);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    const { ledger } = service.payments;
    if (ledger === undefined) throw new Error('the service keeps no ledger');
    const { problems, transfers, chainTotal, ledgerTotal } = await compared(
      service.chain,
      ledger,
      service.seller,
    );
    return {
      transports: tally.transports,
      mixed: tally.mixed,
      cut: tally.cut,
      redelivered: tally.redelivered,
      signed: tally.signed,
      transfers,
      chainTotal,
      ledgerTotal,
      problems: [...tally.problems, ...problems, ...service.faults.map(String)],
    };
  } finally {
    await service.stop();
  }
}

/** Outcomes of all rounds. */
class Tally {
  readonly problems: string[] = [];
  readonly transports = new Map(TRANSPORTS.map(({ name }) => [name, { asked: 0, sold: 0 }]));
  mixed = 0;
  cut = 0;
  redelivered = 0;
  signed = 0n;

  note({ name }: Presenter, { sold }: Presented): void {
    const transport = this.transports.get(name);
    if (transport === undefined) return;
    transport.asked++;
    if (sold) transport.sold++;
  }
}

interface Round {
  readonly url: string;
  readonly address: string;
  readonly random: Random;
  readonly tally: Tally;
  readonly buyer: Signer;
  readonly service: { readonly seller: Parameters<typeof v2Payload>[0] };
}

const addressOf = (round: number): string => `10.${(round >> 16) & 255}.${(round >> 8) & 255}.${round & 255}`;

/** One authorization; at least one of those who present it waits for the answer. */
async function playRound({ url, address, random, tally, buyer, service }: Round): Promise<void> {
  const questions = random.pick(ASKED);
  const many = random.between(2, 7);
  const hangUps = random.chance(0.3) ? random.between(1, many - 1) : 0;
  const plays = Array.from({ length: many }, (_, i) => ({
    transport: i < 2 ? TRANSPORTS[i * random.between(1, 2)] : random.pick(TRANSPORTS),
    question: random.pick(questions),
    cutAfterMs: i < hangUps ? random.between(0, 60) : undefined,
  }));
  const [{ atomic = '0' } = {}] = questions;
  const signed = await signAuthorization(buyer, service.seller, { value: atomic });
  const payload = v2Payload(service.seller, signed);
  const { nonce } = signed.authorization;
  tally.signed += BigInt(atomic);
  const ask = async (transport: Presenter, question: Question, cutAfterMs?: number): Promise<Presented> => {
    const presented = await transport.present({
      url,
      address,
      payload,
      header: encodeHeader(payload),
      question,
      cutAfterMs,
    });
    tally.note(transport, presented);
    if (presented.fault !== undefined) tally.problems.push(`${nonce}: ${transport.name}: ${presented.fault}`);
    return presented;
  };
  const answers = await Promise.all(
    plays.map(({ transport = TRANSPORTS[0], question, cutAfterMs }) => ask(transport, question, cutAfterMs)),
  );
  if (new Set(plays.map(({ transport }) => transport?.name === 'HTTP')).size === 2) tally.mixed++;
  const cut = answers.filter((answer) => answer.cut).length;
  tally.cut += cut;
  let sold = answers.filter((answer) => answer.sold).length;
  // An answer that was cut off is had by the same payment, over either way, for the request that it was sold for.
  for (const [i, ms] of WAITS_MS.entries()) {
    if (sold > 0) break;
    await wait(ms);
    for (const question of questions) {
      if ((await ask(random.pick(TRANSPORTS), question)).sold) sold++;
    }
    if (sold > 0) tally.redelivered++;
    else if (i === WAITS_MS.length - 1 && cut === 0)
      tally.problems.push(`${nonce}: paid, and never answered`);
  }
  if (sold > 1) tally.problems.push(`${nonce}: sold ${sold} times`);
}
