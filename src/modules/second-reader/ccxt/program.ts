/** The program that runs ccxt: a build puts it beside the file that this one is bundled into; the sources are run in place. */
export const CCXT_PROGRAM = new URL(
  import.meta.url.endsWith('.js') ? './ccxt.js' : './second-main.ts',
  import.meta.url,
);
