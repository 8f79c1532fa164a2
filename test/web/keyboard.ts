import type { Page } from 'playwright-core';

/** Tabs that a view may take from its start to the end of its content, where each link that passes over a part is followed. */
export const MOST_TABS = 10;
/** More than any run of places that is passed over. */
const LOST = 60;

const FOCUS = `(() => {
  const at = document.activeElement;
  if (at === null || at === document.body || at.closest('footer, .view-sale') !== null) return 'end';
  return at.classList.contains('skip') ? 'skip ' + at.textContent : at.outerHTML.slice(0, 120);
})()`;

/** The places that the keyboard comes through from the start of a view, just loaded, to the end of its content. */
export async function placesToEnd(page: Page): Promise<readonly string[]> {
  const places: string[] = [];
  while (places.length < LOST) {
    await page.keyboard.press('Tab');
    const place = String(await page.evaluate(FOCUS));
    if (place === 'end') break;
    places.push(place);
    if (place.startsWith('skip ')) await page.keyboard.press('Enter');
  }
  return places;
}
