import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { expect, it, vi } from 'vitest';
import { AT, playFault, world } from '../../../test/books/fault-schedules.ts';
import { pairingsOf } from '../../../test/venues/sim-run.ts';
import { extended } from './index.ts';

vi.mock('ws', async () => ({ default: (await import('../../../test/books/memory-socket.ts')).MemorySocket }));

it('a stall that ends just after a failed connection: recovers in time', async () => {
  const [pairing] = pairingsOf([extended], SIM_VENUES, world, AT);
  if (pairing === undefined) throw new Error('not simulated');
  expect(await playFault(pairing, 'book-stall', 241_506_724_544)).toBeUndefined();
});
