import Type from 'typebox';
import type { Services } from '../../api/route.ts';
import { badParameter, fail, ok } from '../../domain/errors.ts';
import { dayNumber } from '../../pay/sale-log.ts';
import { integer, text } from '../../products/answer/schema.ts';
import { defineProduct } from '../../products/define-product.ts';
import { StoreUnreachable } from '../../storage/remote-state.ts';
import example from './examples/receipt-proof.json' with { type: 'json' };
import { KEY_DOCUMENT_PATH, keyDocument, signerOf } from './key-document.ts';
import { RECEIPTS } from './port.ts';
import { dayText } from './root-statement.ts';

const ABOUT = {
  access: 'free',
  tags: ['payments', 'receipts'],
  dependsOn: 'second',
  revisedAt: '2026-11-22T17:00:00.000Z',
} as const;

const method = Type.Object({
  id: text('What a statement has as kid'),
  type: text('JsonWebKey2020'),
  controller: text('The document itself'),
  publicKeyJwk: Type.Unsafe<object>({ type: 'object', description: 'Ed25519 key (RFC 8037)' }),
  validFrom: Type.String({ format: 'date-time', description: 'From when it signs' }),
  expires: Type.Optional(
    Type.String({ format: 'date-time', description: 'When it stopped; absent for the key in force' }),
  ),
});

export const receiptKeys = defineProduct({
  ...ABOUT,
  id: 'receipt-keys',
  path: KEY_DOCUMENT_PATH,
  summary: 'Keys that sign offers and receipts',
  description:
    'DID document (did:web) of the service: every key that signed offers, receipts and daily roots, with the time in which it did. Old keys stay, so that old receipts can be verified.',
  answer: Type.Object({
    '@context': Type.Array(Type.String(), { description: 'As DID documents have it' }),
    id: text('did:web of the address of the service'),
    verificationMethod: Type.Array(method, { description: 'Keys, the newest last' }),
    assertionMethod: Type.Array(Type.String(), { description: 'Names of the keys' }),
  }),
  compute: (_, { readPort, service }: Services) => {
    const json = readPort(RECEIPTS)?.roots.keyDocument() ?? keyDocument(signerOf(service.baseUrl), []);
    return ok({ content: { json } });
  },
});

const MAX_ROOTS = 366;

const day = (description: string) => Type.String({ description, examples: ['2026-11-19'] });

export const receiptRoots = defineProduct({
  ...ABOUT,
  readsLedger: true,
  id: 'receipt-roots',
  path: '/v1/receipts/roots',
  summary: 'Signed roots of all receipts, by day',
  description:
    'For each closed UTC day the root of the Merkle tree (RFC 6962 hashes) of all receipts issued in it, signed, each naming the root before. A reader who keeps them notices a receipt that is added or removed later.',
  query: Type.Object({
    before: Type.Optional(day('Days before this one; all without it')),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_ROOTS,
        default: 30,
        description: 'At most so many, the latest first',
      }),
    ),
  }),
  answer: Type.Object({
    roots: Type.Array(
      Type.Object({
        day: text('UTC day'),
        root: text('Compact JWS: day, size, root_sha256, previous_sha256'),
      }),
      { description: 'Days with receipts, the latest first' },
    ),
  }),
  find: ({ before, limit = 30 }) => {
    const end = before === undefined ? Number.MAX_SAFE_INTEGER : dayNumber(Date.parse(before));
    if (!Number.isNaN(end)) return ok({ before: end, limit });
    return fail(badParameter('before', 'must be a day such as 2026-11-19'));
  },
  compute: (range, services: Services) => rootsOf(range, services).catch(orUnavailable),
});

const EXAMPLE_REQUEST =
  '/v1/receipts/proof/2026-11-19/022a6979e6dab7aa5ae4c3e5e45f7e977112a7e63593820dbec1ec738a24f93c';
const LEAF = /^[0-9a-f]{64}$/;
const none = (detail: string) => fail({ code: 'no_data', detail });
/** A ledger that does not answer is no fault of the request. */
const orUnavailable = (cause: unknown) => {
  if (!(cause instanceof StoreUnreachable)) throw cause;
  const detail = 'The ledger of payments does not answer: ask again in a moment.';
  return fail({ code: 'ledger_unavailable', detail, retryAfterSeconds: 5 });
};

export const receiptProof = defineProduct({
  ...ABOUT,
  readsLedger: true,
  id: 'receipt-proof',
  path: '/v1/receipts/proof/{day}/{leaf}',
  summary: 'Proof that a receipt is in the tree of its day',
  description:
    'The hashes that lead from one receipt to the signed root of its day, for perpmeter verify --proof. A day is closed five minutes after its end.',
  params: Type.Object({
    day: day('UTC day of issued_at in the receipt'),
    leaf: Type.String({
      description: 'SHA-256 of a zero byte and the receipt as it came in perpmeter-receipt, hex',
    }),
  }),
  example: { request: EXAMPLE_REQUEST, answer: example },
  answer: Type.Object({
    index: integer('Place of the receipt among those of its day'),
    path: Type.Array(Type.String(), { description: 'Hashes to the root, the lowest first, hex' }),
    root: text('Compact JWS: day, size, root_sha256, previous_sha256'),
  }),
  find: ({ day: asked, leaf }) => {
    if (!LEAF.test(leaf)) return none('A leaf is 64 hex digits in lower case.');
    const number = dayNumber(Date.parse(asked));
    return Number.isNaN(number) ? none('A day is written as 2026-11-19.') : ok({ asked, number, leaf });
  },
  compute: (leaf, services: Services) => proofOf(leaf, services).catch(orUnavailable),
});

async function rootsOf({ before, limit }: { before: number; limit: number }, { readPort }: Services) {
  const roots = (await readPort(RECEIPTS)?.roots.roots(before, limit)) ?? [];
  return ok({
    content: { json: { roots: roots.map((root) => ({ day: dayText(root.day), root: root.statement })) } },
  });
}

async function proofOf(
  { asked, number, leaf }: { asked: string; number: number; leaf: string },
  { readPort }: Services,
) {
  const proof = await readPort(RECEIPTS)?.roots.proof(number, leaf);
  if (proof === 'open') return none(`${asked} is not closed yet: ask five minutes after its end.`);
  if (proof === undefined) return none(`No such receipt was issued on ${asked}.`);
  const { index, path, root } = proof;
  return ok({ content: { json: { index, path: [...path], root } } });
}
