// What x402scan and AgentCash read of a service, by their own package. Argument: the address of the service. One line of
// JSON a case: its name, and what is wrong.
import {
  checkEndpointSchema,
  discoverOriginSchema,
  validatePaymentRequiredDetailed,
} from '@agentcash/discovery';

const [origin = ''] = process.argv.slice(2);
const document = await (await fetch(`${origin}/openapi.json`)).json();
const paid = Object.entries(document.paths).filter(([, { get }]) => get?.['x-payment-info'] !== undefined);
const say = (suite, name, fault) => console.log(JSON.stringify({ name: `${suite} ${name}`, fault }));

const found = await discoverOriginSchema({ target: origin });
const byPath = new Map((found.endpoints ?? []).map((one) => [one.path, one]));
for (const [path] of paid) {
  const { authMode, protocols = [] } = byPath.get(path) ?? {};
  const isPaid = authMode === 'paid' && protocols.includes('x402');
  say('discover', path, isPaid ? undefined : `${authMode} by ${protocols}`);
}
for (const [path, { get }] of paid) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => get.parameters.find((p) => p.name === name).example);
  const checked = await checkEndpointSchema({ url: origin + filled });
  const { authMode, inputSchema, outputSchema } =
    checked.advisories?.find(({ method }) => method === 'GET') ?? {};
  const isWhole = authMode === 'paid' && inputSchema !== undefined && outputSchema !== undefined;
  say(
    'check',
    path,
    isWhole ? undefined : `${authMode}, input ${typeof inputSchema}, output ${typeof outputSchema}`,
  );

  const response = await fetch(origin + filled);
  const { valid, issues } = validatePaymentRequiredDetailed(await response.json());
  const errors = issues.filter(({ severity }) => severity === 'error').map(({ code }) => code);
  say('402', path, valid && errors.length === 0 ? undefined : errors.join(' '));
}
