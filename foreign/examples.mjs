// Buys the example of every entry of the catalog, and holds examples and answers against the schemas of the OpenAPI document.
// Arguments: the address of the service, and the buyer's key. One line of JSON a case: its name, and what is wrong.
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { privateKeyToAccount } from 'viem/accounts';

const [origin = '', key = ''] = process.argv.slice(2);
const client = new x402Client().register('eip155:8453', new ExactEvmScheme(privateKeyToAccount(key)));
const buy = wrapFetchWithPayment(fetch, client);
const document = await (await fetch(`${origin}/openapi.json`)).json();
const { items } = await (await fetch(`${origin}/v1/x402/discovery/resources?type=http&limit=100`)).json();

// Words of OpenAPI beside those of JSON Schema are no errors.
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi');
const escaped = (path) => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));

/** What the schema of a path's answer has against a body. */
function faultOf(path, body) {
  const place = `/paths/${escaped(path)}/get/responses/200/content/application~1json/schema`;
  const validate = ajv.getSchema(`openapi#${place}`);
  if (validate === undefined || validate(0)) return 'no schema that says anything';
  return validate(body) ? undefined : ajv.errorsText(validate.errors).slice(0, 300);
}

async function bought(resource, { queryParams = {}, pathParams = {} }) {
  const path = decodeURI(resource).replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(pathParams[name]));
  const query = new URLSearchParams(
    Object.entries(queryParams).map(([name, value]) => [name, String(value)]),
  );
  const response = await buy(query.size === 0 ? path : `${path}?${query}`);
  if (response.status !== 200) throw new Error(`answered ${response.status}: ${await response.text()}`);
  return response.json();
}

for (const { resource, extensions } of items) {
  const path = decodeURI(resource.slice(origin.length));
  const { input, output } = extensions.bazaar.info;
  const check = async () => faultOf(path, output.example) ?? faultOf(path, await bought(resource, input));
  const fault = await check().catch((cause) => String(cause.message).slice(0, 300));
  console.log(JSON.stringify({ name: path, fault }));
}
