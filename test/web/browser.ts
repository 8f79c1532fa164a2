import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's packages; another with CHROMIUM. The headless shell draws the same page and spares the windows of a desktop. */
const PACKAGED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const EXECUTABLE = process.env.CHROMIUM ?? PACKAGED.find((path) => existsSync(path));

export const hasChromium = EXECUTABLE !== undefined && existsSync(EXECUTABLE);

/** A real Chromium without a window, which calls nobody by itself; undefined where there is none. */
export async function openBrowser(): Promise<Browser | undefined> {
  if (EXECUTABLE === undefined || !hasChromium) return undefined;
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
