import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** What a visitor does on the playground. The default person has two identifiers. */
export function visitorOf(page: () => Page) {
  const tab = (name: string): Promise<void> => page().getByRole('tab', { name, exact: true }).click();
  const press = (name: string | RegExp): Promise<void> => page().getByRole('button', { name }).first().click();
  /** Each part of the page has a place for a message. */
  const messages = (): Promise<string[]> => page().locator('[role=status]').allInnerTexts();
  return {
    tab,
    press,
    /** The text of the last one on the page. */
    message: async (): Promise<string | undefined> => (await messages()).filter((text) => text !== '').at(-1),
    async ready(): Promise<void> {
      await page().locator('[data-ready]').waitFor();
    },
    async figure(name: string): Promise<number> {
      return Number(await page().locator(`[data-figure=${name}]`).first().innerText());
    },
    stored: (title: string): Promise<number> => page().getByRole('heading', { name: title, exact: true }).count(),
    async report(reporter: string, type = 'chargeback'): Promise<void> {
      await tab('Reports');
      await expect.poll(() => page().getByRole('button', { name: 'File the report' }).isEnabled()).toBe(true);
      await page().getByLabel('Reporter').selectOption(reporter);
      await page().getByLabel('Offence').selectOption(type);
      await press('File the report');
      await expect.poll(messages).toContain(`${reporter} reported the person.`);
    },
  };
}
