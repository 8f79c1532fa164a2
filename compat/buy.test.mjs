// Unmodified official x402 clients buy from a running demo: `npm run check:compat` in the root starts one.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { x402Client as axiosClient, wrapAxiosWithPayment } from '@x402/axios';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import axios from 'axios';
import { createPublicClient, http, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { withPaymentInterceptor } from 'x402-axios';
import { wrapFetchWithPayment as wrapFetchV1 } from 'x402-fetch';

const demo = JSON.parse(readFileSync(new URL('../var/demo.json', import.meta.url), 'utf8'));
const account = privateKeyToAccount(demo.buyer_private_key);
const chain = createPublicClient({ transport: http(demo.rpc_url) });
const url = `${demo.base_url}/v1/funding/current?symbol=BTC`;

const balance = () =>
  chain.readContract({
    address: demo.asset,
    abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
    functionName: 'balanceOf',
    args: [demo.pay_to],
  });

/** Buys once and checks body, receipt and money. */
async function buys(name, buy) {
  await test(name, async () => {
    const before = await balance();
    const { status, body, receipts } = await buy();
    assert.equal(status, 200);
    assert.equal(body.symbol, 'BTC');
    assert.ok(body.rates.length > 0);
    const [receipt] = receipts
      .filter(Boolean)
      .map((text) => JSON.parse(Buffer.from(text, 'base64').toString()));
    assert.equal(receipt.success, true);
    assert.match(receipt.transaction, /^0x[0-9a-f]{64}$/);
    assert.equal((await balance()) - before, 1000n);
  });
}

const fetched = async (response) => ({
  status: response.status,
  body: await response.json(),
  receipts: [response.headers.get('payment-response'), response.headers.get('x-payment-response')],
});
const got = (response) => ({
  status: response.status,
  body: response.data,
  receipts: [response.headers['payment-response'], response.headers['x-payment-response']],
});

await buys('@x402/fetch 2.27', async () => {
  const client = new x402Client();
  registerExactEvmScheme(client, { signer: account });
  return fetched(await wrapFetchWithPayment(fetch, client)(url));
});

await buys('@x402/axios 2.11', async () => {
  const client = new axiosClient();
  registerExactEvmScheme(client, { signer: account });
  return got(await wrapAxiosWithPayment(axios.create(), client).get(url));
});

await buys('x402-fetch 1.2', async () => fetched(await wrapFetchV1(fetch, account)(url)));

await buys('x402-axios 0.7.2', async () =>
  got(await withPaymentInterceptor(axios.create(), account).get(url)),
);
