import { afterEach, beforeEach, expect, it } from 'vitest';
import { HttpClient } from '../../src/collect/http-client.ts';
import { examineVenues } from '../../src/modules/doctor/examine.ts';
import type { Poll } from '../../src/venues/adapter.ts';
import { type Loopback, serve } from '../collect/loopback.ts';
import { tinyPoll, tinyVenue } from '../collect/tiny-venue.ts';

const MIB = 1024 * 1024;
const contract = { symbol: 'A', list: true, mark: 1 };
const answers = new Map<string, string>();
let server: Loopback;

beforeEach(async () => {
  answers.clear();
  server = await serve((req, res) =>
    res.end(answers.get(req.url ?? '') ?? JSON.stringify([contract, { ...contract, symbol: 'B' }])),
  );
});
afterEach(() => server.close());

/** A good answer of so many bytes. */
const padded = (bytes: number): string => JSON.stringify([{ ...contract, more: 'x'.repeat(bytes) }]);

async function failuresOf(marks: Partial<Poll>): Promise<readonly string[]> {
  const polls = [
    tinyPoll('v', 'instruments', { kind: 'instruments' }),
    tinyPoll('v', 'marks', marks),
    tinyPoll('v', 'others'),
  ];
  const report = await examineVenues({
    venues: [tinyVenue('v', server.url, { polls })],
    signal: new AbortController().signal,
    gapMs: 0,
    streamMs: 1,
    http: new HttpClient(),
  });
  const [venue] = report.venues;
  expect(venue?.calls.find(({ name }) => name === 'others')).toMatchObject({ answered: 1 });
  return (venue?.findings ?? []).map(({ text }) => text).filter((text) => text.includes('body over'));
}

it('an answer beyond four times the declared size: refused, others read', async () => {
  answers.set('/marks', padded(5000));
  expect(await failuresOf({ normalBytes: 1000 })).toEqual([expect.stringContaining('4000 bytes')]);
  expect(await failuresOf({ normalBytes: 2000 })).toEqual([]);
});

it('a call about one contract: a smaller bound than the list of all', async () => {
  answers.set('/marks', padded(2 * MIB));
  expect(await failuresOf({ spread: true })).toEqual([expect.stringContaining(`${MIB} bytes`)]);
  expect(await failuresOf({})).toEqual([]);
});
