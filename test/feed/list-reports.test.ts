import { expect, it } from 'vitest';
import type { ListReport } from '../../src/domain/list-report.ts';
import { emptyFeedCounts } from '../../src/feed/ports.ts';
import { makeInstrument, makeVenueInfo } from '../../src/market/market-fixture.ts';
import { FIXTURE_NOW } from '../../src/market/row-fixture.ts';
import { FollowedVenue } from '../../src/modules/cluster/followed-venue.ts';
import { decodeMessage } from '../../src/modules/cluster/message.ts';
import { VenuePublisher } from '../../src/modules/cluster/venue-publisher.ts';
import type { Sinks } from '../../src/tape/tape.ts';

const VENUE = 'okx';
const clock = { now: () => FIXTURE_NOW };

it('a list in several parts: a seller hears it once, with its report', () => {
  const heard: [count: number, report: ListReport | undefined][] = [];
  const into = {
    market: {
      venue: () => undefined,
      instruments: (_venue, list, _at, report) => void heard.push([list.length, report]),
      quotes: () => undefined,
    },
    books: { open: () => expect.fail('a book') },
    payments: () => undefined,
  } as Sinks;
  const counts = emptyFeedCounts();
  const followed = new FollowedVenue(VENUE, { into, clock, elapsed: () => 0, counts });
  let elapsed = 0;
  const publisher = new VenuePublisher({
    epoch: () => 1,
    state: () => ({ info: makeVenueInfo({ id: VENUE }), refreshMs: 5000, instruments: [], quotes: [] }),
    health: () => undefined,
    book: () => undefined,
    send: (message) => void followed.take(decodeMessage(message) ?? expect.fail('no message')),
    now: clock.now,
    elapsed: () => elapsed,
  });
  publisher.begin(1);
  publisher.tick();
  elapsed += 100;
  const list = Array.from({ length: 1001 }, (_, i) => makeInstrument({ venue: VENUE, base: `C${i}` }));
  const report: ListReport = { isWhole: true, halted: ['X'], announced: [{ symbol: 'NEW', ticker: 'NEW' }] };
  publisher.addInstruments(list, FIXTURE_NOW, report);
  publisher.addInstruments(list.slice(1), FIXTURE_NOW);
  publisher.tick();
  expect(heard).toEqual([
    [0, undefined],
    [1001, report],
    [1000, undefined],
  ]);
});
