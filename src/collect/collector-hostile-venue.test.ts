import { describe, expect, it } from 'vitest';
import { type Answer, type CollectorRig, eachWithRig } from '../../test/collect/collector-rig.ts';
import { tinyPoll } from '../../test/collect/tiny-venue.ts';

let rig: CollectorRig;
eachWithRig((made) => {
  rig = made;
});

const MEGABYTES = 14 * 1024 * 1024;
const flat = Buffer.from(`[${'0,'.repeat(MEGABYTES / 2)}0]`);
/** In pieces and without a length, as a server that hides how much comes. */
const undeclared = (bytes: Buffer): Answer => {
  return (res) => {
    res.write(bytes.subarray(0, 100));
    res.end(bytes.subarray(100));
  };
};
const nested = Buffer.from('['.repeat(500_000));

describe('a venue that sends what would hold up everything', () => {
  it.each([
    [
      '14 MB of brackets for a list',
      'marks',
      undeclared(Buffer.alloc(MEGABYTES, '[')),
      /body over 8388608 bytes/,
    ],
    ['half a megabyte of brackets', 'marks', undeclared(nested), /nested deeper than 32/],
    ['brackets for one contract', 'single', undeclared(nested), /nested deeper than 32/],
    ['14 MB, flat, for one contract', 'single', undeclared(flat), /body over 1048576 bytes/],
    ['14 MB, flat and declared', 'single', (res) => res.end(flat), /body over 1048576 bytes/],
  ] satisfies readonly (readonly [string, string, Answer, RegExp])[])(
    '%s: refused unparsed with a reason, and others stay fresh',
    async (_name, path, answer, reason) => {
      const bad = rig.venueAt('bad');
      const single = tinyPoll('bad', 'single', { spread: true });
      const collector = rig.collect([{ ...bad, polls: [...bad.polls, single] }, rig.venueAt('good')]);
      await collector.start();
      await rig.run(2000, 'bad', 'good');
      rig.answers[`/bad/${path}`] = answer;
      const parse = JSON.parse;
      let longest = 0;
      JSON.parse = (text, reviver) => {
        longest = Math.max(longest, text.length);
        return parse(text, reviver);
      };
      try {
        const before = rig.sink.count('good');
        await rig.until(() => expect(collector.health.of('bad')?.lastError).toMatch(reason));
        await rig.until(() => expect(rig.sink.count('good')).toBeGreaterThan(before));
        expect(longest).toBeLessThan(10_000);
      } finally {
        JSON.parse = parse;
      }
      expect(collector.stats().venues.bad?.polls[path]?.failures.too_large).toBeGreaterThan(0);
      expect(collector.health.of('good')).toMatchObject({ status: 'live', lastError: undefined });
    },
  );
});
