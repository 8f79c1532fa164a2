import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's package; another with CHROMIUM. */
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

export const hasChromium = existsSync(EXECUTABLE);

/** A real Chromium without a window, which calls nobody by itself; undefined where there is none. */
export async function openBrowser(): Promise<Browser | undefined> {
  if (!hasChromium) return undefined;
  return chromium.launch({
    executablePath: EXECUTABLE,
    headless: true,
    // The limit of a hook ends what hangs.
    timeout: 0,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}
