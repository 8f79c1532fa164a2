import { describe, expect, it } from 'vitest';
import { serviceProblemOf } from '../../packages/client/src/problems.ts';
import { COMPONENTS } from '../../src/api/documents/openapi-components.ts';
import { renderProblem } from '../../src/api/problem.ts';
import type { Failure } from '../../src/domain/errors.ts';
import { isWire } from '../../src/domain/read.ts';

/** A problem document of the service as the client takes it. */
function taken(failure: Failure): unknown {
  const { status, headers, body } = renderProblem(failure);
  return serviceProblemOf({ status, headers: new Headers(headers), body: new Uint8Array(body) });
}

const FAILURES: readonly Failure[] = [
  {
    code: 'unknown_parameter',
    detail: 'is not known',
    errors: [{ parameter: 'symbl', message: 'is not known' }],
    instead: '/v1/funding/current?symbol=BTC',
  },
  { code: 'unknown_route', detail: 'there is no such path', instead: '/v1/perp/basis' },
  {
    code: 'ambiguous_ticker',
    detail: 'two assets',
    candidates: [{ canonical_id: 'crypto:STX', asset_class: 'crypto', venues: ['binance'] }],
  },
  { code: 'already_paid', detail: 'paid', paid: { transaction: '0x1', paid_at: '2026-11-22T09:00:00.000Z' } },
];

describe('a problem of the service', () => {
  it.each(FAILURES)('$code: every field of the document is in what the client says', (failure) => {
    const document: unknown = JSON.parse(renderProblem(failure).body.toString());
    // Both follow from the code.
    const { type: _, title: __, ...said } = isWire(document) ? document : {};
    expect(taken(failure)).toMatchObject(said);
  });

  it('these examples have every field that the interface names', () => {
    const { properties } = COMPONENTS.schemas.Problem;
    const named = FAILURES.flatMap((failure) =>
      Object.keys(JSON.parse(renderProblem(failure).body.toString())),
    );
    expect([...new Set(named)].sort()).toEqual(Object.keys(properties).sort());
  });

  it('nothing else is served: it has no `instead`', () => {
    expect(taken({ code: 'no_data', detail: 'none' })).not.toHaveProperty('instead');
  });
});
