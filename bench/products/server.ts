/** The service over the simulated world in a process of its own, told by messages of the parent. */
import { createApi } from '../../src/api/server.ts';
import { benchWorld } from './services.ts';

/** Every venue is read again once in so many milliseconds. */
const CYCLE_MS = 10_000;

const { options, change, source } = benchWorld();
setInterval(change, CYCLE_MS / source.pairings.length);
setInterval(() => source.market.sweep(), 1000);
const port = await createApi(options).listen(0, '127.0.0.1');
let cpu = process.cpuUsage();

process.on('message', (message) => {
  const used = process.cpuUsage(cpu);
  if (message === 'begin') cpu = process.cpuUsage();
  process.send?.({ cpuSeconds: (used.user + used.system) / 1e6 });
});
process.on('disconnect', () => process.exit(0));
process.send?.({ port, rows: source.market.view.rows().length });
