/** The place of the bundle, and what its bytes are. */
interface PublishedBundle {
  readonly url: string;
  readonly sha256: string;
}

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

const ENVIRONMENT = [
  {
    name: 'PERPMETER_URL',
    description: 'Address of the service, as https://data.example.com',
    isRequired: true,
  },
  {
    name: 'PERPMETER_BUYER_KEY',
    description: 'Private key of a wallet with little USDC in it, which signs payments',
    isRequired: true,
    isSecret: true,
  },
];

/**
 * The entry of the MCP registry (https://github.com/modelcontextprotocol/registry): the package of npm, and the bundle where it
 * is published.
 *
 * @param name with the namespace that the publisher has proven to own, as `io.github.owner/perpmeter`
 */
export function registryEntry(name: string, version: string, bundle?: PublishedBundle) {
  const transport = { type: 'stdio' };
  const npm = {
    registryType: 'npm',
    identifier: 'perpmeter',
    version,
    runtimeHint: 'npx',
    transport,
    packageArguments: [{ type: 'positional', value: 'mcp' }],
    environmentVariables: ENVIRONMENT,
  };
  const mcpb = bundle && {
    registryType: 'mcpb',
    identifier: bundle.url,
    version,
    fileSha256: bundle.sha256,
    transport,
  };
  return {
    $schema: SCHEMA,
    name,
    title: 'Perpmeter',
    description: 'Market data of perpetual futures from many venues, bought per call over x402',
    version,
    packages: mcpb === undefined ? [npm] : [npm, mcpb],
  };
}
