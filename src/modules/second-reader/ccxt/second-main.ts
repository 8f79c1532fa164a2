/** The program of the process that runs ccxt: it answers questions of its parent, and sends nothing itself. */

import { loadCcxt } from '../../../collect/ccxt/load-module.ts';
import { failed, type Outcome } from '../../../collect/transport-failure.ts';
import type { Answer } from '../../../collect/venue-caller.ts';
import { systemClock } from '../../../domain/clock.ts';
import { reasonOf } from '../../../runtime/reason-of.ts';
import { adapterOf } from '../../../venues/registry.ts';
import { openHere } from './second-exchange.ts';
import { type FromCcxt, type Question, received, type ToCcxt } from './second-messages.ts';
import type { SecondSend, SecondVenue } from './second-venue.ts';

const module = loadCcxt();
const open = openHere(() => module, systemClock.now);
const opened = new Map<string, Promise<SecondVenue | undefined>>();
const sent = new Map<number, (outcome: Outcome<Answer>) => void>();
let requests = 0;

const tell = (message: FromCcxt): void => {
  process.send?.(message);
};

function venueOf(id: string): Promise<SecondVenue | undefined> {
  const known = opened.get(id);
  if (known !== undefined) return known;
  const adapter = adapterOf(id);
  const send: SecondSend = (request) =>
    new Promise((resolve) => {
      requests += 1;
      sent.set(requests, resolve);
      tell({ kind: 'send', id: requests, venue: id, request });
    });
  const made = adapter === undefined ? Promise.resolve(undefined) : open(adapter, send);
  opened.set(id, made);
  return made;
}

async function answer(id: string, question: Question): Promise<Outcome<unknown>> {
  const venue = await venueOf(id);
  if (question.kind === 'open') return { ok: true, value: venue !== undefined };
  if (venue === undefined) return failed('refused', 'ccxt does not read the venue');
  return question.kind === 'load' ? venue.load() : venue.ask(question.call, question.symbol);
}

process.on('message', (message: ToCcxt) => {
  const { id } = message;
  if (message.kind === 'received') {
    sent.get(id)?.(received(message.outcome));
    sent.delete(id);
    return;
  }
  answer(message.venue, message.question).then(
    (outcome) => tell({ kind: 'answer', id, outcome }),
    (cause: unknown) => tell({ kind: 'answer', id, outcome: failed('not_json', reasonOf(cause)) }),
  );
});
process.on('disconnect', () => process.exit(0));
if (!process.connected) process.exit(0);
