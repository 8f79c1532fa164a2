// Unmodified clients, old and new, each buy one answer. Arguments: the address to buy from, and as JSON key, node, token and
// receiver. One line of JSON a client: its package, version, and what went wrong.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import { createPublicClient, createWalletClient, http, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';

const [url = '', given = '{}'] = process.argv.slice(2);
const { key, rpcUrl, asset, payTo, price } = JSON.parse(given);
const account = privateKeyToAccount(key);
const transport = http(rpcUrl);
const wallet = createWalletClient({ account, chain: base, transport });
const chain = createPublicClient({ transport });
const balance = () =>
  chain.readContract({
    address: asset,
    abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
    functionName: 'balanceOf',
    args: [payTo],
  });

const receiptOf = (text) => (text ? JSON.parse(Buffer.from(text, 'base64').toString()) : undefined);
const fetched = async (response) => ({
  status: response.status,
  body: await response.json(),
  receipt: receiptOf(response.headers.get('payment-response') ?? response.headers.get('x-payment-response')),
});
const got = ({ status, data, headers }) => ({
  status,
  body: data,
  receipt: receiptOf(headers['payment-response'] ?? headers['x-payment-response']),
});

/** Of the first protocol version: they take a wallet. */
const oldFetch = async (name) =>
  fetched(await (await import(name)).wrapFetchWithPayment(fetch, wallet)(url, {}));
const oldAxios = async (name) =>
  got(await (await import(name)).withPaymentInterceptor(axios.create(), wallet).get(url));

/** Of the second: a client with a scheme of the same release. */
async function clientOf(module, evm) {
  const client = new module.x402Client();
  const { ExactEvmScheme } = await import(`${evm}/exact/client`);
  return client.register('eip155:8453', new ExactEvmScheme(account));
}
const newFetch = (evm) => async (name) => {
  const module = await import(name);
  return fetched(await module.wrapFetchWithPayment(fetch, await clientOf(module, evm))(url, {}));
};
const newAxios = (evm) => async (name) => {
  const module = await import(name);
  return got(await module.wrapAxiosWithPayment(axios.create(), await clientOf(module, evm)).get(url));
};

/** What its maker's server says of a wallet; the client's own flag `--dev` asks for it at this address. */
async function startBalances() {
  const funds = JSON.stringify({ balance: 1, network: 'eip155:8453', paymentNetwork: 'base', chainId: 8453 });
  const server = createServer((_, response) => response.end(funds));
  await new Promise((resolve, reject) => server.once('error', reject).listen(3000, 'localhost', resolve));
  return server;
}

/** The command of an agent's wallet, in a home of its own. */
async function agentcash() {
  const balances = await startBalances();
  const home = mkdtempSync(join(tmpdir(), 'agentcash-'));
  const args = [
    'node_modules/agentcash/dist/esm/index.js',
    'fetch',
    url,
    '--payment-network',
    'base',
    '--dev',
    '-y',
  ];
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, X402_PRIVATE_KEY: key };
  const [stdout, stderr] = await new Promise((resolve) =>
    execFile(process.execPath, args, { env }, (_, out, err) => resolve([out, err])),
  );
  balances.close();
  balances.closeAllConnections();
  rmSync(home, { recursive: true, force: true });
  const answer = JSON.parse(stdout || '{}');
  if (!answer.success) throw new Error(`${stdout} ${stderr}`.slice(0, 400));
  const { data, metadata = {} } = answer;
  const { payment = {} } = metadata;
  return { status: 200, body: data, receipt: { ...payment, transaction: payment.transactionHash } };
}

const CLIENTS = [
  ['x402-fetch-0.1', oldFetch],
  ['x402-fetch-0.6', oldFetch],
  ['x402-fetch', oldFetch],
  ['x402-axios-0.3', oldAxios],
  ['x402-axios', oldAxios],
  ['x402-fetch-2.0', newFetch('x402-evm-2.0')],
  ['x402-fetch-2.9', newFetch('x402-evm-2.9')],
  ['@x402/fetch', newFetch('@x402/evm')],
  ['x402-axios-2.2', newAxios('x402-evm-2.2')],
  ['@x402/axios', newAxios('x402-evm-2.11')],
  ['agentcash', agentcash],
];

/** What is not as a purchase is: the answer, its receipt, and the money. */
async function faultOf(name, buy) {
  const before = await balance();
  const { status, body, receipt } = await buy(name);
  const paid = (await balance()) - before;
  if (status !== 200) return `answered ${status}`;
  if (body?.symbol !== 'BTC' || !(body.rates?.length > 0))
    return `not what was asked: ${JSON.stringify(body)}`;
  if (receipt?.success !== true || !/^0x[0-9a-f]{64}$/.test(receipt.transaction))
    return `receipt ${JSON.stringify(receipt)}`;
  return paid === BigInt(price) ? undefined : `${paid} atomic units were paid`;
}

for (const [folder, buy] of CLIENTS) {
  const { name, version } = JSON.parse(readFileSync(`node_modules/${folder}/package.json`, 'utf8'));
  const fault = await faultOf(folder, buy).catch((cause) => String(cause?.message ?? cause).slice(0, 400));
  console.log(JSON.stringify({ name, version, fault }));
}
