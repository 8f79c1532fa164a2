import { describe, expect, it } from 'vitest';
import { type Answer, type CollectorRig, eachWithRig } from '../../test/collect/collector-rig.ts';
import { until } from '../../test/until.ts';

let rig: CollectorRig;
eachWithRig((made) => {
  rig = made;
});

const UNAFFECTED = { status: 'live', lastError: undefined, errorRate5m: 0 };

describe('Collector isolates venues', () => {
  const faults: readonly (readonly [string, Answer, RegExp])[] = [
    ['hangs', () => {}, /timeout/],
    ['drops connections', (res) => res.destroy(), /reset/],
    ['answers with a page', (res) => res.end('<html>maintenance</html>'), /HTML instead of JSON/],
    ['answers half JSON', (res) => res.end('[{"symbol":"A","ma'), /unreadable JSON/],
    ['answers too much', (res) => res.end(JSON.stringify('x'.repeat(20_000))), /too_large/],
    ['answers an error body', (res) => res.end('{"code":1}'), /nothing readable \(error_body\)/],
    ['fails', (res) => res.writeHead(502).end(), /HTTP 502/],
    [
      'refuses for seconds',
      (res) => res.writeHead(429, { 'retry-after': '2' }).end(),
      /HTTP 429, pausing for 2 s/,
    ],
    [
      'refuses for milliseconds',
      (res) => res.writeHead(429, { 'retry-after-ms': '1500' }).end(),
      /pausing for 2 s/,
    ],
    [
      'refuses until a date',
      (res) => res.writeHead(429, { 'retry-after': new Date(rig.time.now + 3000).toUTCString() }).end(),
      /pausing for [23] s/,
    ],
  ];

  it.each(faults)(
    'a venue that %s: stale, then down with the reason, then recovers',
    async (_name, fault, reason) => {
      const http = { deadlineMs: 2000, maxBodyBytes: 10_000 };
      const made = rig.collect([rig.venueAt('bad'), rig.venueAt('good'), rig.venueAt('fine')], {
        options: {
          http,
          timer: rig.time.timer,
          random: () => 0.5,
          circuit: { restMs: 1, longestRestMs: 1, retries: 0 },
        },
      });
      await made.start();
      await rig.run(2000, 'bad', 'good', 'fine');
      expect(made.health.of('bad')?.status).toBe('live');

      rig.answers['/bad/marks'] = fault;
      const statuses = new Set<string | undefined>();
      for (let t = 0; t < 8; t++) {
        await rig.run(1000, 'good', 'fine');
        statuses.add(made.health.of('bad')?.status);
        for (const other of ['good', 'fine']) expect(made.health.of(other)).toMatchObject(UNAFFECTED);
      }
      expect([...statuses]).toEqual(['live', 'stale']);
      await until(() => expect(made.health.of('bad')?.lastError).toMatch(reason));
      expect(made.health.of('bad')?.errorRate5m).toBeGreaterThan(0);

      rig.time.jump(15 * 60_000);
      expect(made.health.of('bad')?.status).toBe('down');
      delete rig.answers['/bad/marks'];
      await rig.until(
        () => expect(made.health.of('bad')).toMatchObject({ status: 'live', lastError: undefined }),
        1000,
      );
    },
  );
});
