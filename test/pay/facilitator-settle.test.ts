import { describe, expect, it } from 'vitest';
import {
  type Answer,
  answerWith,
  close,
  json,
  payer,
  remote,
  request,
  useFacilitator,
} from './facilitator-rig.ts';
import { TRANSACTION } from './fakes.ts';
import { newAccount } from './wallet.ts';

useFacilitator();

describe('settle', () => {
  const unknown = (reason: unknown, transaction?: string) => ({
    kind: 'unknown',
    reason,
    pending: false,
    transaction,
  });
  const failed = (reason: unknown) => ({ ...unknown(reason), failed: true });
  const body = (more: object) => ({ success: false, transaction: '', network: 'eip155:8453', ...more });
  it.each<[string, Answer, unknown]>([
    [
      'settled',
      json(200, body({ success: true, transaction: TRANSACTION, payer: payer.address })),
      { kind: 'settled', transaction: TRANSACTION },
    ],
    [
      'settled with an empty network',
      json(200, body({ success: true, transaction: TRANSACTION, network: '' })),
      { kind: 'settled', transaction: TRANSACTION },
    ],
    [
      'success without a transaction',
      json(200, body({ success: true })),
      unknown('success_without_transaction'),
    ],
    [
      'success of another amount',
      json(200, body({ success: true, transaction: TRANSACTION, amount: '1' })),
      unknown('facilitator_named_another_amount', TRANSACTION),
    ],
    [
      'success for another payer',
      json(200, body({ success: true, transaction: TRANSACTION, payer: newAccount().address })),
      unknown('facilitator_named_another_payer', TRANSACTION),
    ],
    [
      'failure in a 200',
      json(200, body({ errorReason: 'insufficient_funds' })),
      { kind: 'refused', reason: 'insufficient_funds', transaction: undefined },
    ],
    [
      'failure in a 400',
      json(400, body({ errorReason: 'invalid_exact_evm_signature' })),
      { kind: 'refused', reason: 'invalid_exact_evm_signature', transaction: undefined },
    ],
    [
      'pending in a 400 without a transaction',
      json(400, { success: false, errorReason: 'settlement_pending', transaction: null }),
      { ...unknown('settlement_pending'), pending: true },
    ],
    [
      'failure in a 400 without a transaction',
      json(400, { success: false, errorReason: 'insufficient_funds' }),
      { kind: 'refused', reason: 'insufficient_funds', transaction: undefined },
    ],
    [
      'an outcome in a 400 that is neither',
      json(400, { success: 'perhaps', transaction: TRANSACTION }),
      unknown('settlement_refused', TRANSACTION),
    ],
    [
      'turned away by a gateway that speaks of success',
      json(429, { success: false, error: 'slow down' }),
      { kind: 'unsent', reason: 'status_429' },
    ],
    [
      'success without a field for the transaction',
      json(200, { success: true, network: 'eip155:8453' }),
      failed('FacilitatorResponseError'),
    ],
    ['failure without a reason', json(200, body({})), unknown('settlement_refused')],
    [
      'an exception for a reason: it may have been thrown after sending',
      json(200, body({ errorReason: 'Timed out while waiting for transaction with hash 0x12.' })),
      failed('settlement_refused'),
    ],
    [
      'a transfer that could not be sent: no transaction shows that it was not',
      json(200, body({ errorReason: 'invalid_exact_evm_transaction_failed' })),
      failed('invalid_exact_evm_transaction_failed'),
    ],
    [
      'a transfer that failed in a transaction',
      json(200, body({ errorReason: 'invalid_exact_evm_transaction_failed', transaction: TRANSACTION })),
      { kind: 'refused', reason: 'invalid_exact_evm_transaction_failed', transaction: TRANSACTION },
    ],
    [
      'a failure of its node',
      json(200, body({ errorReason: 'settle_exact_node_failure' })),
      failed('settle_exact_node_failure'),
    ],
    [
      'settled already, as it says',
      json(200, body({ errorReason: 'duplicate_settlement' })),
      unknown('duplicate_settlement'),
    ],
    [
      'nonce already used',
      json(200, body({ errorReason: 'invalid_exact_evm_nonce_already_used' })),
      unknown('invalid_exact_evm_nonce_already_used'),
    ],
    [
      'pending',
      json(200, body({ errorReason: 'settlement_pending', transaction: TRANSACTION })),
      { ...unknown('settlement_pending', TRANSACTION), pending: true },
    ],
    [
      'pending in a 500, after broadcast',
      json(500, body({ errorReason: 'settlement_pending', transaction: TRANSACTION })),
      { ...unknown('settlement_pending', TRANSACTION), pending: true },
    ],
    [
      'a refusal in a 500',
      json(500, body({ errorReason: 'insufficient_funds' })),
      failed('insufficient_funds'),
    ],
    ['a bare 500', json(500, { error: 'oops' }), failed('status_500')],
    [
      'a 502 page',
      (_, response) => {
        response.statusCode = 502;
        response.end('<html>');
      },
      failed('status_502'),
    ],
    ['nonsense', json(200, { ok: 1 }), failed('FacilitatorResponseError')],
    ['a cut connection', (incoming) => incoming.socket.destroy(), failed(expect.any(String))],
    [
      'success on another network',
      json(200, body({ success: true, transaction: TRANSACTION, network: 'eip155:1' })),
      unknown('facilitator_named_another_network', TRANSACTION),
    ],
    [
      'a body without end',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const pour = (): void => {
          while (response.write('x'.repeat(65_536)));
        };
        response.on('drain', pour);
        pour();
      },
      failed('FacilitatorResponseError'),
    ],
    [
      'sent elsewhere',
      (_, response) => {
        response.writeHead(307, { location: 'https://elsewhere.example.com/settle' });
        response.end();
      },
      { kind: 'unsent', reason: 'status_307' },
    ],
    ['turned away', json(429, { error: 'slow down' }), { kind: 'unsent', reason: 'status_429' }],
    ['not let in', json(401, { error: 'who are you' }), { kind: 'unsent', reason: 'status_401' }],
  ])('%s', async (_, given, expected) => {
    answerWith(given);
    expect(await remote().settle(request)).toEqual(expected);
  });

  it('that hangs is unknown', async () => {
    answerWith(() => {});
    expect(await remote({ kind: 'none' }, 50).settle(request)).toEqual(
      failed(expect.stringContaining('Timeout')),
    );
  });

  it('to a closed port is reported as not sent', async () => {
    const facilitator = remote();
    await close();
    expect(await facilitator.settle(request)).toEqual({ kind: 'unsent', reason: 'ECONNREFUSED' });
    expect(facilitator.ok).toBe(false);
  });
});
