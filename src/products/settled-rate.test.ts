import { expect, test } from 'vitest';
import { makeRow } from '../market/row-fixture.ts';
import { fundingRow } from './funding/funding-row.ts';

test.each([
  ['the one last charged', true, true],
  ['of the settlement to come', undefined, undefined],
] as const)('rate is %s: rate_settled %s', (_what, rateSettled, shown) => {
  const row = makeRow({ ...(rateSettled !== undefined && { rateSettled }) });
  expect(fundingRow(row, row.updatedAt).rate_settled).toBe(shown);
});
