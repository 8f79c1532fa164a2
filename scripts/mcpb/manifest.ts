/** The program of the bundle, by its path in it. */
export const PROGRAM = 'server/perpmeter.js';
export const ICON = 'icon.png';

const WORDS =
  'Funding rates, spreads, order books and back-tests of perpetual futures from a Perpmeter, bought per call over x402.';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the client puts its values there.
const FLAGS = ['--url', '${user_config.url}', '--max-usd', '${user_config.max_usd}'];
const COMMAND = {
  command: 'node',
  args: [`\${__dirname}/${PROGRAM}`, 'mcp', ...FLAGS, '--max-total-usd', '${user_config.max_total_usd}'],
  env: { PERPMETER_BUYER_KEY: '${user_config.key}' },
};
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above.

/** The settings that the client asks its user for. */
const SETTINGS = {
  url: {
    type: 'string',
    title: 'Address of the service',
    description: 'The Perpmeter that answers, as https://data.example.com',
    required: true,
  },
  key: {
    type: 'string',
    title: 'Private key of the wallet',
    description:
      'Signs payments in USDC; 0x and 64 hexadecimal digits. A wallet of its own, with little in it',
    required: true,
    sensitive: true,
  },
  max_usd: {
    type: 'number',
    title: 'Most that one call may cost, US dollars',
    description: 'Dearer calls are refused before anything is signed',
    default: 0.1,
    min: 0,
  },
  max_total_usd: {
    type: 'number',
    title: 'Most that all calls may cost, US dollars',
    description: 'Counted until the client ends the program',
    default: 1,
    min: 0,
  },
};

/**
 * The manifest of the bundle, version 0.3 of the format
 * (https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md).
 */
export const manifestOf = (version: string) => ({
  manifest_version: '0.3',
  name: 'perpmeter',
  display_name: 'Perpmeter',
  version,
  description: WORDS,
  long_description: `${WORDS}\n\nPaid tools say their price before they are called. Payments are made in USDC by a wallet of yours, within the two bounds that you set: put no more into that wallet than you would spend.`,
  author: { name: 'Perpmeter' },
  license: 'Apache-2.0',
  icon: ICON,
  icons: [{ src: ICON, size: '128x128' }],
  keywords: ['perpetual futures', 'funding rates', 'order books', 'x402'],
  server: { type: 'node', entry_point: PROGRAM, mcp_config: COMMAND },
  tools_generated: true,
  prompts_generated: true,
  compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20.19.0' } },
  user_config: SETTINGS,
});
