import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { expect, it, vi } from 'vitest';
import { AT, playFault, world } from '../../../test/books/fault-schedules.ts';
import { pairingsOf } from '../../../test/venues/sim-run.ts';
import { extended } from './index.ts';

vi.mock('ws', async () => ({ default: (await import('../../../test/books/memory-socket.ts')).MemorySocket }));

it('recovers in time where a stall ends just after a new connection has failed', async () => {
  const [pairing] = pairingsOf([extended], SIM_VENUES, world, AT);
  if (pairing === undefined) throw new Error('not simulated');
  expect(await playFault(pairing, 'book-stall', 241_506_724_544)).toBeUndefined();
});
