import type { Locator, Page } from 'playwright-core';

/** Does a task by hand, and counts the clicks that it takes; what is typed is none, and a choice from a list is one. */
export class TaskDriver {
  readonly page: Page;
  #clicks = 0;

  constructor(page: Page) {
    this.page = page;
  }

  get clicks(): number {
    return this.#clicks;
  }

  /** @param position within the target, px; its middle without one */
  async click(target: Locator, position?: { x: number; y: number }): Promise<void> {
    this.#clicks += 1;
    await target.click(position === undefined ? {} : { position });
  }

  /** Clicks on the button of this name. */
  async press(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    await this.click(within.getByRole('button', { name, exact: true }));
  }

  /** Chooses a word of a list that is labelled so. */
  async choose(label: string, word: string): Promise<void> {
    this.#clicks += 1;
    // The words of a list are a part of its label.
    await this.page.getByLabel(label).selectOption(word);
  }

  /** Opens a part that is folded in a narrow window. */
  async unfold(name: string): Promise<void> {
    const summary = this.page.locator('summary', { hasText: name }).first();
    if (await summary.isVisible()) await this.click(summary);
  }

  /** Orders a table by the column with this title; cards have a list of the titles. */
  async order(caption: string, title: RegExp): Promise<void> {
    const part = this.page.getByRole('region', { name: caption });
    await part.getByRole('columnheader', { name: title }).waitFor({ state: 'attached' });
    const button = part.getByRole('button', { name: title });
    if (await button.isVisible()) return this.click(button);
    const column = await part.locator('option', { hasText: title }).getAttribute('value');
    this.#clicks += 1;
    await part.getByLabel('Order').selectOption(column);
  }

  /** Goes to another view by its link in the header, which is behind a button where there is no room. */
  async goTo(view: string): Promise<void> {
    const views = this.page.getByRole('navigation', { name: 'Views' });
    const menu = views.getByRole('button', { name: 'Views' });
    if (await menu.isVisible()) await this.click(menu);
    await this.click(views.getByRole('link', { name: view, exact: true }));
  }
}
