import { createHash } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import type { Ledger } from '../../src/pay/ledger.ts';
import { paymentKey } from '../../src/pay/payment.ts';
import { EXACT_FORMAT } from '../../src/pay/schemes/exact/format.ts';
import { createExampleApi, type ExampleApi } from '../api/example-api.ts';
import { type OperatorServer, startOperatorServer, TOKEN } from '../cli/operator-server.ts';
import { openSale, type Sale } from '../pay/open-sale.ts';
import { paymentOf, signAuthorization } from '../pay/wallet.ts';
import { until } from '../until.ts';
import { hasChromium } from './browser.ts';
import { OPERATOR_DOCUMENTS } from './operator-example.ts';
import { builtPage } from './page-servers.ts';
import { expectSound, openVisits, tableTexts, untilPlace, type Visits } from './visit.ts';

const LEDGER = 'Payments of the ledger';
const OPEN = 'Payments with something left to do';

describe.skipIf(!hasChromium)('an operator in Chromium, with payments on a sandbox chain', () => {
  let sale: Sale;
  let example: ExampleApi;
  let operator: OperatorServer;
  let ledger: Ledger;
  let visits: Visits;

  /** Leaves a payment in the ledger whose facilitator did not answer in time; the next look is an hour away. */
  async function leaveUnknown(validSeconds: number): Promise<string> {
    const { seller, chain } = sale;
    const made = await signAuthorization(privateKeyToAccount(chain.buyer.privateKey), seller, {
      value: '5000',
      validBefore: String(Math.floor(Date.now() / 1000) + validSeconds),
    });
    const { payer, nonce, scheme, signed } = paymentOf(made);
    const claimed = await ledger.claim({
      routeId: 'perp-basis',
      resource: '/v1/perp/basis',
      resourceHash: 'r',
      amount: '5000',
      usd: '0.005',
      key: paymentKey(seller.network.id, seller.asset, { payer, nonce }),
      network: seller.network.id,
      asset: seller.asset,
      payTo: seller.payTo,
      payer,
      nonce,
      scheme,
      signed,
      overAt: EXACT_FORMAT.overAt(signed),
      paymentIdHash: undefined,
    });
    if (claimed.kind !== 'claimed') throw new Error(claimed.kind);
    const answer = { status: 200, headers: {}, body: Buffer.from('{"a":1}') };
    const held = await ledger.hold(claimed.record, {}, answer);
    if (held === undefined || held === 'full') throw new Error('not held');
    const facilitator = sale.payments.facilitators()[0]?.name;
    const asked = { settlingAt: asMs(Date.now()), facilitator, owner: undefined, leaseUntil: undefined };
    const dueAt = asMs(Date.now() + 3_600_000);
    await ledger.change(held, { ...asked, state: 'unknown', reason: 'timeout', dueAt });
    return nonce;
  }

  beforeAll(async () => {
    sale = await openSale();
    if (sale.payments.ledger === undefined) throw new Error('no ledger');
    ledger = sale.payments.ledger;
    example = createExampleApi({ page: builtPage(), coalesceMs: 0 });
    operator = await startOperatorServer({
      allowsActions: true,
      answer: example.api.answerOperator,
      payments: sale.payments,
    });
    visits = await openVisits();
  });
  afterAll(async () => {
    await visits?.close();
    await operator?.close();
    await example?.api.close();
    await sale?.stop();
  });

  it('an unknown payment: looked at for a reason, settled once', async () => {
    const nonce = await leaveUnknown(600);
    const base = `http://127.0.0.1:${operator.port}`;
    const { page } = await visits.open(base);
    await page.route(`${base}/operator/state`, (route) =>
      route.fulfill({ json: OPERATOR_DOCUMENTS['/operator/state'] }),
    );
    await page.getByLabel('Token').fill(TOKEN);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('table', { name: 'Price list' }).waitFor();
    const made = await visits.open(`${base}/#/operator`);
    await page.getByRole('cell', { name: nonce }).waitFor();
    expect((await tableTexts(page, OPEN))[1]).toEqual(
      expect.arrayContaining(['perp-basis', 'unknown', '$0.005', 'timeout']),
    );
    const before = await sale.earned();
    await page.getByRole('button', { name: /^Look now/ }).click();
    await page.getByText('Find out now what became of the unknown payment of $0.005').waitFor();
    expect(await page.getByRole('button', { name: 'Confirm' }).isDisabled()).toBe(true);
    await page.getByLabel('Reason', { exact: true }).fill('the buyer asks');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Settled: the money has moved').waitFor();
    expect((await sale.earned()) - before).toBe(5000n);
    await page.getByRole('row', { name: /settled/ }).waitFor();
    await expectSound(made);
    await page.goto(`${base}/#/operator?part=log`);
    await page.getByRole('row', { name: /look .* the buyer asks/ }).waitFor();
  });

  it('a payment: found by its nonce, told step by step, and Back', async () => {
    const nonce = await leaveUnknown(600);
    await leaveUnknown(600);
    const base = `http://127.0.0.1:${operator.port}`;
    const made = await visits.open(`${base}/#/operator?part=ledger`);
    const { page } = made;
    const search = page.getByRole('form', { name: 'Search' });
    await search.getByLabel('Payer, transaction, nonce, route or reason').fill(nonce.toUpperCase());
    await search.getByLabel('State').selectOption('unknown');
    await search.getByRole('button', { name: 'Search' }).click();
    await untilPlace(page, (hash) => hash.includes('state=unknown'));
    await until(async () => expect(await tableTexts(page, LEDGER)).toHaveLength(2));
    const [, row] = await tableTexts(page, LEDGER);
    expect(row).toEqual(expect.arrayContaining(['unknown', 'perp-basis', '$0.005', 'exact', nonce]));
    await page.getByRole('table', { name: LEDGER }).getByRole('link').click();
    const story = page.getByRole('region', { name: 'One payment' });
    await story.getByText('A facilitator was asked to settle it').waitFor();
    const steps = await story.getByRole('list', { name: 'Steps' }).getByRole('listitem').allTextContents();
    expect(steps.map((step) => step.replace(/^.*UTC\) /, '').split(':')[0])).toEqual([
      'Presented, and found good',
      'A facilitator was asked to settle it',
      'Nothing that was signed can be used any more',
      'It is looked at next',
    ]);
    const hash = createHash('sha256').update('{"a":1}').digest('base64url');
    await story.getByText(hash).waitFor();
    await expectSound(made);
    await page.goBack();
    await story.waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('link', { name: 'All payments' }).waitFor({ state: 'detached' });
    await page.getByRole('table', { name: 'Why payments failed' }).getByText('timeout').click();
    await untilPlace(page, (place) => place.includes('reason=timeout'));
    await until(async () => expect(await tableTexts(page, LEDGER)).toHaveLength(3));
  });

  it('a request repeated under its name: no action again', async () => {
    const nonce = await leaveUnknown(600);
    const look = (request: string, body: object = {}) =>
      fetch(`http://127.0.0.1:${operator.port}/operator/payments`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          request,
          reason: 'why not',
          action: 'look',
          payer: sale.chain.buyer.address,
          nonce,
          ...body,
        }),
      });
    const before = await sale.earned();
    const both = await Promise.all([look('same'), look('same')]);
    const [first, second] = await Promise.all(both.map((response) => response.json()));
    expect(first).toMatchObject({ action: 'look', found: 'settled' });
    expect(second).toEqual(first);
    expect((await sale.earned()) - before).toBe(5000n);
    const missing = await look('other', { nonce: `0x${'0'.repeat(64)}` });
    expect([missing.status, await missing.json()]).toMatchObject([
      409,
      { detail: 'there is no open payment of this payer and nonce' },
    ]);
  });
});
