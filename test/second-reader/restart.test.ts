import { expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { SecondReaderRig } from './rig.ts';

it('a contract delisted over a restart: no second-reader incident', async () => {
  const rig = new SecondReaderRig({ venues: ['derive'] });
  const left = {
    rule: 'second_reader',
    venue: 'derive',
    field: 'mark_price',
    evidence: 'before the restart',
  };
  rig.incidents.open({ ...left, contract: 'GONE-PERP' }, rig.startedAt);
  rig.incidents.open({ ...left, contract: 'ELSEWHERE-PERP', venue: 'deribit' }, rig.startedAt);
  await rig.pass(2 * MINUTE_MS);
  expect(rig.lasting()).toEqual(['deribit mark_price ELSEWHERE-PERP']);
  await rig.stop();
});
