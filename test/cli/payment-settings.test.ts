import { describe, expect, it } from 'vitest';
import { paymentConfigOf } from '../../src/host/settings/payment-settings.ts';
import { SETTINGS } from '../../src/host/settings/setting-table.ts';
import { readSettings } from '../../src/host/settings/settings.ts';

const PORT = 8402;
const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';

/** The payment configuration of these variables. */
function configOf(env: Readonly<Record<string, string>>, sells = true) {
  const read = readSettings(SETTINGS, {}, env);
  if (!read.ok) throw new Error(read.errors.join('; '));
  return paymentConfigOf(read.settings, PORT, sells);
}

describe('the payment configuration of the settings', () => {
  it('beyond loopback without a receiver: refused once, in words', () => {
    expect(configOf({ HOST: '0.0.0.0' })).toEqual({
      ok: false,
      errors: [
        'nothing is sold without PAY_TO_ADDRESS, and what is free is served on loopback only: set PAY_TO_ADDRESS, BASE_URL and FACILITATOR_URL, or listen on 127.0.0.1 (not 0.0.0.0)',
      ],
    });
    expect(configOf({ HOST: '0.0.0.0', PAYMENTS_MODE: 'off' })).toEqual({
      ok: false,
      errors: ['PAYMENTS_MODE=off needs a loopback listening address, not 0.0.0.0'],
    });
  });

  it('with a receiver beyond loopback names what is missing to sell', () => {
    expect(configOf({ HOST: '0.0.0.0', PAY_TO_ADDRESS: PAY_TO })).toEqual({
      ok: false,
      errors: [expect.stringMatching(/^BASE_URL is required/), expect.stringMatching(/^FACILITATOR_URL/)],
    });
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8402'],
    ['::1', 'http://[::1]:8402'],
  ])('serves freely on %s', (HOST, baseUrl) => {
    expect(configOf({ HOST })).toMatchObject({ ok: true, value: { mode: 'off', baseUrl } });
  });

  it('checks an address that was set, also where nothing is sold', () => {
    const set = configOf({ BASE_URL: 'http://data.example.com' });
    expect(set).toEqual({ ok: false, errors: [expect.stringMatching(/^BASE_URL must be https/)] });
  });

  it('a process that does not sell: listens anywhere, no address', () => {
    expect(configOf({ HOST: '0.0.0.0' }, false)).toMatchObject({
      ok: true,
      value: { mode: 'off', baseUrl: 'http://0.0.0.0:8402' },
    });
  });
});
