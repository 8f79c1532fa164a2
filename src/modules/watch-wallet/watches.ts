import Type, { type Static } from 'typebox';
import type { Services } from '../../api/route.ts';
import { type Clock, iso } from '../../domain/clock.ts';
import { fail, ok, type Result } from '../../domain/errors.ts';
import { asMs } from '../../domain/units.ts';
import { integer, nullable, text, timestamp } from '../../products/answer/schema.ts';
import { defineProduct, type Secretly } from '../../products/define-product.ts';
import { DAY_MS } from '../../runtime/duration.ts';
import { watchesOf } from '../watch/asked-watch.ts';
import { pageOfWatches } from '../watch/page-of-watches.ts';
import type { Watches } from '../watch/port.ts';
import { readingToken } from '../watch/reading-token.ts';
import { phaseOf } from '../watch/watch.ts';
import type { WatchRecord } from '../watch/watch-record.ts';
import { conditionSchema } from '../watch-conditions/condition.ts';
import { shownCondition } from '../webhook/shown-address.ts';
import example from './examples/watches.json' with { type: 'json' };
import { PayerIndex } from './payer-index.ts';
import { WALLET_PROOFS, type WalletProofs } from './port.ts';
import type { WalletProof } from './wallet-proof.ts';

/** Reading tokens are good for so long. */
const READS_MS = DAY_MS;
const MOST = 500;

const row = Type.Object({
  id: text('Name of the watch'),
  condition: conditionSchema,
  phase: text('As the watch itself has it'),
  began_at: timestamp('Since when it is watched'),
  ends_at: timestamp('Until when it is watched'),
  token: text('Reads it in the place of its secret, until reads_until'),
});

const answer = Type.Object({
  wallet: text('Address that signed, lower case'),
  reads_until: timestamp('Until when the tokens are good'),
  total: integer('Watches that it has paid for here'),
  watches: Type.Array(row, { description: 'The latest first, at most 500 of a page' }),
  next: nullable(text('The next page is behind this id, by another signature; null: this is the last')),
});

const query = Type.Object({
  after: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'next of the page before; left out: the first' }),
  ),
});
type Asked = Static<typeof query>;

interface Found {
  readonly proof: WalletProof;
  readonly proofs: WalletProofs;
  readonly watches: Watches;
}

const NOT_READY = {
  code: 'not_ready',
  detail: 'Signatures of wallets are not checked here now.',
  retryAfterSeconds: 5,
} as const;

function find({ secret }: Asked & Secretly, services: Services): Result<Found> {
  const watches = watchesOf(services);
  if (!watches.ok) return watches;
  const proofs = services.readPort(WALLET_PROOFS);
  if (proofs === undefined) return fail(NOT_READY);
  const proof = proofs.read(secret);
  return proof.ok ? ok({ proof: proof.value, proofs, watches: watches.value }) : proof;
}

function rowsOf(records: readonly WatchRecord[], until: number): readonly Static<typeof row>[] {
  return records.flatMap((record) => {
    const token = readingToken(record, until);
    if (token === undefined) return [];
    const { id, condition, beganAt, endsAt } = record;
    const times = { began_at: iso(asMs(beganAt)), ends_at: iso(asMs(endsAt)) };
    return [{ id, condition: shownCondition(condition), phase: phaseOf(record), ...times, token }];
  });
}

/** One index for the watches of a process. */
const indexes = new WeakMap<Watches, PayerIndex>();

function paidBy(wallet: string, watches: Watches, clock: Clock): readonly WatchRecord[] {
  const index = indexes.get(watches) ?? new PayerIndex(watches.stored, clock);
  indexes.set(watches, index);
  return index.of(wallet).flatMap((id) => watches.find(id) ?? []);
}

async function list({ proof, proofs, watches }: Found, { service, clock }: Services, { after }: Asked) {
  const now = clock.now();
  const checked = await proofs.check(proof, { baseUrl: service.baseUrl, now });
  if (!checked.ok) return checked;
  const until = now + READS_MS;
  const paid = paidBy(checked.value, watches, clock);
  const page = pageOfWatches(paid, after, MOST);
  if (!page.ok) return page;
  const { records, next = null } = page.value;
  const body: Static<typeof answer> = {
    wallet: checked.value,
    reads_until: iso(asMs(until)),
    total: paid.length,
    watches: [...rowsOf(records, until)],
    next,
  };
  return ok({ body });
}

/** The watches of a wallet, for the buyer who has lost their secrets. */
export const watches = defineProduct({
  id: 'watches',
  path: '/v1/watches',
  access: 'free',
  summary: 'Watches that a wallet has paid for',
  description:
    'The watches that a wallet has paid for, each with a token that reads it for a day, for who has lost its secret. The header Perpmeter-Secret has: wallet, its address, a chain id, the time, a nonce, and its signature (EIP-191) of the message of EIP-4361 that docs/watch-wallet.md gives; good for five minutes, once.',
  tags: ['watches'],
  dependsOn: 'second',
  isOwn: true,
  takesSecret: true,
  revisedAt: '2026-11-30T09:00:00.000Z',
  query,
  answer,
  example: { request: '/v1/watches', answer: example },
  find,
  compute: list,
});
