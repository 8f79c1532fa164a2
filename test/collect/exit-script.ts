import { createCollector } from '../../src/collect/collector.ts';
import { serve } from './loopback.ts';
import { RecordingSink, tinyCall, tinyPoll, tinyVenue } from './tiny-venue.ts';
import { serveWs } from './ws-loopback.ts';

/** Starts a collector on real timers, stops it while all kinds of waits are under way, and never calls exit. */
const hits = new Set<string>();
const http = await serve((req, res) => {
  const path = req.url ?? '';
  hits.add(path);
  if (path === '/hang/marks') return;
  if (path === '/refuse/marks') res.writeHead(429, { 'retry-after': '600' }).end();
  else if (path === '/broken/marks') res.writeHead(502).end();
  else res.end('[{"symbol":"A","list":true,"mark":"1"}]');
});
const ws = await serveWs();
const ids = ['hang', 'refuse', 'broken', 'fine'];
const stream = {
  name: 'marks',
  base: 'ws',
  path: '/',
  call: tinyCall('fine', 'marks'),
  topics: () => ['all'],
  subscribe: () => ['sub'],
  topicsPerConnection: 1,
  topicsPerFrame: 1,
  framesPerSecond: 1,
  maxConnections: 1,
  compression: 'none',
  keepAlive: { everyMs: 10_000, frame: () => 'ping' },
  silenceMs: 60_000,
  repeats: true,
} as const;
const venues = ids.map((id) => {
  const polls = [
    tinyPoll(id, 'instruments', { kind: 'instruments' }),
    tinyPoll(id, 'marks', { everyMs: 100 }),
  ];
  const bases = { rest: `${http.url}/${id}`, ws: ws.url };
  return tinyVenue(id, http.url, { bases, polls, ...(id === 'fine' ? { streams: [stream] } : {}) });
});
const collector = createCollector({ venues, sink: new RecordingSink() });
await collector.start();
const allAsked = (): boolean => ids.every((id) => hits.has(`/${id}/marks`)) && ws.peers.length > 0;
while (!allAsked()) await new Promise((resolve) => setImmediate(resolve));
await collector.stop();
await http.close();
await ws.close();
console.log('stopped');
