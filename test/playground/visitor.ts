import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** What a visitor does on the playground. The person of arrival has two identifiers. */
export function visitorOf(page: () => Page) {
  /** The section in which the visitor last did something; undefined above all sections. */
  let part: string | undefined = 'ask';
  const go = async (name: string): Promise<void> => {
    const contents = page().getByRole('navigation', { name: 'Sections' });
    const menu = contents.getByRole('button');
    if (await menu.isVisible()) await menu.click();
    const link = contents.getByRole('link', { name, exact: true });
    part = (await link.getAttribute('href'))!.slice(1);
    await link.click();
    await expect.poll(() => page().evaluate(() => document.activeElement?.id)).toBe(part);
  };
  const press = async (name: string | RegExp): Promise<void> => {
    const button = page().getByRole('button', { name }).first();
    part = await button.evaluate((element) => element.closest('.part')?.id);
    await button.click();
  };
  /** Each form and list has a place for a message. */
  const messages = (): Promise<string[]> =>
    page()
      .locator(part === undefined ? '.offer [role=status], #playground > [role=status]' : `#${part} [role=status]`)
      .allInnerTexts();
  const stored = (title: string): Promise<number> => page().getByRole('heading', { name: title, exact: true }).count();
  return {
    go,
    press,
    /** The text of the last one in the section in which the visitor last did something. */
    message: async (): Promise<string | undefined> => (await messages()).filter((text) => text !== '').at(-1),
    async ready(): Promise<void> {
      await page().locator('[data-ready]').waitFor();
    },
    /** Unfolds what has this title, unless it is unfolded. */
    async unfold(title: string | RegExp): Promise<void> {
      const row = page()
        .locator('details')
        .filter({ has: page().locator('summary', { hasText: title }) })
        .first();
      if (!(await row.evaluate((element: HTMLDetailsElement) => element.open))) await row.locator('summary').click();
    },
    /** Deletes the example, so that only reports of the visitor are left. */
    async empty(): Promise<void> {
      await press('Start over');
      await press('Delete all reports');
      await expect.poll(() => stored('No reports yet')).toBe(1);
    },
    /** A figure of the answer. */
    async figure(name: string): Promise<number> {
      return Number(await page().locator(`.answer [data-figure=${name}]`).innerText());
    },
    stored,
    async report(reporter: string, type = 'chargeback'): Promise<void> {
      await go('Report');
      await expect.poll(() => page().getByRole('button', { name: 'File the report' }).isEnabled()).toBe(true);
      await page().getByLabel('Reporter').selectOption(reporter);
      await page().getByLabel('Offence').selectOption(type);
      await press('File the report');
      await expect.poll(messages).toContain(`${reporter} reported the person.`);
    },
  };
}
