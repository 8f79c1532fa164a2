import {
  atomicOf,
  createClient,
  memoryStore,
  type PaymentRecord,
  type PaymentStore,
  type Signer,
} from '@perpmeter/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import { PROPERTY_RUNS } from '../property-runs.ts';
import { terms } from './seller.ts';

const PRICES = { '/a': 1000, '/b': 2500, '/c': 4000 } as const;
const CAPS = { perCall: '0.003', perHour: '0.005', perDay: '0.008', total: '0.012' };
type Path = keyof typeof PRICES;

/** A seller's ways with a payment; `lost` takes it and breaks the connection. */
const OUTCOMES = [
  'sold',
  'lost',
  'broken',
  'unknown',
  'refused',
  'no_data',
  'rate_limited',
  'internal',
] as const;
type Outcome = (typeof OUTCOMES)[number];
const TAKES: ReadonlySet<Outcome> = new Set(['sold', 'lost', 'unknown']);

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
const problem = (status: number, code: string) => new Response(JSON.stringify({ code }), { status });

function challenge(path: Path, error: string): Response {
  const accepts = [terms({ amount: String(PRICES[path]) })];
  return new Response(JSON.stringify({ error }), {
    status: 402,
    headers: { 'payment-required': encoded({ x402Version: 2, accepts }) },
  });
}

function reply(outcome: Outcome, path: Path): Response {
  if (outcome === 'sold') return new Response('{}', { headers: { 'content-type': 'application/json' } });
  if (outcome === 'lost' || outcome === 'broken') throw new TypeError('connection broken');
  if (outcome === 'unknown') return problem(503, 'settlement_unknown');
  if (outcome === 'no_data') return problem(404, 'no_data');
  if (outcome === 'rate_limited') return problem(429, 'rate_limited');
  if (outcome === 'internal') return problem(500, 'internal');
  return challenge(path, 'invalid_signature');
}

interface Run {
  readonly calls: readonly Path[];
  readonly outcomes: readonly Outcome[];
  readonly steps: readonly number[];
  readonly trustRefusals: boolean;
}

const runs = fc.record({
  calls: fc.array(fc.constantFrom<Path>('/a', '/b', '/c'), { minLength: 1, maxLength: 12 }),
  outcomes: fc.array(fc.constantFrom(...OUTCOMES), { minLength: 1, maxLength: 20 }),
  steps: fc.array(fc.constantFrom(0, 60_000, 20 * 60_000, HOUR_MS), { minLength: 1, maxLength: 6 }),
  trustRefusals: fc.boolean(),
});

type InTurn = () => Promise<void>;

/** A store, and what was reserved in it before it was signed. */
function notingStore(inTurn: InTurn) {
  const memory = memoryStore();
  const reserved: PaymentRecord[] = [];
  const store: PaymentStore = {
    load: () => inTurn().then(memory.load),
    save: async (record) => {
      if (record.state === 'signing') reserved.push(record);
      await inTurn();
      await memory.save(record);
    },
  };
  return { store, reserved };
}

/** Signs all, and notes the value of each nonce. */
const notingSigner = (inTurn: InTurn, signed: Map<string, number>): Signer => ({
  address: `0x${'a'.repeat(40)}`,
  signTypedData: async ({ message }) => {
    await inTurn();
    signed.set(String(message.nonce), Number(message.value));
    return '0x11';
  },
});

/** All calls at once, every step of theirs in an order of the scheduler's. */
async function execute({ calls, outcomes, steps, trustRefusals }: Run, scheduler: fc.Scheduler) {
  let now = 1_800_000_000_000;
  let asked = 0;
  let waited = 0;
  const inTurn = (): Promise<void> => scheduler.schedule(Promise.resolve());
  const taken = new Map<string, number>();
  const signed = new Map<string, number>();
  const presented = new Map<string, Set<string>>();
  const { store, reserved } = notingStore(inTurn);
  const client = createClient({
    baseUrl: 'http://seller.example',
    retries: 0,
    wait: async () => {
      now += steps[waited++ % steps.length] ?? 0;
      await inTurn();
    },
    fetch: async (url, { headers }) => {
      await inTurn();
      const path = new URL(url).pathname as Path;
      const payment = headers['PAYMENT-SIGNATURE'];
      if (payment === undefined) return challenge(path, 'payment_required');
      const { authorization } = JSON.parse(Buffer.from(payment, 'base64').toString()).payload;
      const outcome = outcomes[asked++ % outcomes.length] ?? 'sold';
      presented.set(url, (presented.get(url) ?? new Set()).add(authorization.nonce));
      if (TAKES.has(outcome)) taken.set(authorization.nonce, Number(authorization.value));
      await inTurn();
      return reply(outcome, path);
    },
    wallet: {
      caps: CAPS,
      store,
      trustRefusals,
      checkCatalog: false,
      now: () => now,
      signer: notingSigner(inTurn, signed),
    },
  });
  const done = Promise.all(calls.map((path, at) => client.request(`${path}?call=${at}`)));
  await scheduler.waitFor(done);
  return { taken, signed, presented, reserved, client };
}

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

describe('the caps', () => {
  it('hold for any signed payments, in any order of calls and retries', async () => {
    await fc.assert(
      fc.asyncProperty(runs, fc.scheduler(), async (run, scheduler) => {
        const { taken, signed, presented, reserved, client } = await execute(run, scheduler);
        // A seller who is not believed may take all that was signed; one who is takes what it says.
        const spent = run.trustRefusals ? taken : signed;
        expect(sum(spent.values())).toBeLessThanOrEqual(Number(atomicOf(CAPS.total)));
        expect(sum(spent.values())).toBeLessThanOrEqual(Number(atomicOf(client.spentUsd())));
        for (const amount of signed.values())
          expect(amount).toBeLessThanOrEqual(Number(atomicOf(CAPS.perCall)));
        for (const nonces of presented.values()) expect(nonces.size).toBe(1);
        for (const { at: end } of reserved) {
          const inSpan = (ms: number) =>
            sum(
              reserved
                .filter(({ at, nonce }) => at > end - ms && at <= end && spent.has(nonce))
                .map(({ amount }) => Number(amount)),
            );
          expect(inSpan(HOUR_MS)).toBeLessThanOrEqual(Number(atomicOf(CAPS.perHour)));
          expect(inSpan(24 * HOUR_MS)).toBeLessThanOrEqual(Number(atomicOf(CAPS.perDay)));
        }
      }),
      { numRuns: 100 * PROPERTY_RUNS.times, seed: PROPERTY_RUNS.seed },
    );
  });
});
