import Type, { type Static } from 'typebox';
import { boolean, counts, integer, nullable, text, timestamp } from '../../../products/answer/schema.ts';

/** A running account of a buyer; amounts in US dollars. */
export const account = Type.Object({
  id: text('Id of the account, as `perpmeter ledger channels` names it'),
  scheme: text('Scheme whose payments stand on it'),
  network: nullable(text('CAIP-2 name of its network; null of one that is not known here')),
  payer: text('Who pays'),
  stage: text("Its state in the scheme's words"),
  balance_usd: text('Money of the buyer behind it, claimed or not'),
  charged_usd: text('Sum of the prices of settled sales'),
  claimed_usd: text('The part of it that was claimed on the chain'),
  unclaimed_usd: text('The part of it that was not'),
  unclaimed_since: nullable(timestamp('When the first of the sales was settled that are not claimed')),
  due_at: nullable(timestamp('From when on it is to be claimed')),
  used_at: nullable(timestamp('When the last sale was settled')),
  seen_at: timestamp('When the chain was last asked for it'),
  leaves_at: nullable(timestamp('From when on the buyer, who has requested that, can take its money out')),
});

/** The accounts of a scheme on a network in figures; amounts in US dollars. */
export const accountFigures = Type.Object({
  scheme: text('Name of the scheme'),
  network: nullable(text('CAIP-2 name of the network; null of one that is not known here')),
  stages: counts('Accounts by stage'),
  charged_usd: text('Sum of the prices of settled sales'),
  claimed_usd: text('The part of it that was claimed on the chain'),
  unclaimed_usd: text('The part of it that was not'),
  oldest_unclaimed: nullable(timestamp('When the oldest sale was settled that is not claimed')),
  leaving: integer('Accounts whose buyers have requested their money back'),
});

/** `/operator/accounts`: running accounts of buyers (payment channels), those that want attention first. */
export const accountsSchema = Type.Object({
  schemes: Type.Array(accountFigures),
  accounts: Type.Array(account),
  total: integer('Accounts that were read: not all of them may be listed'),
  complete: boolean('False where the ledger has more accounts than were read'),
});

export type OperatorAccounts = Static<typeof accountsSchema>;
export type AccountLine = Static<typeof account>;
export type AccountFigures = Static<typeof accountFigures>;
