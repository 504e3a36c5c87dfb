// One question to several models, whose answers stand side by side.
import { scriptedStream, textSteps } from '@parley/scripts/fake-provider/scenario';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { apiOf, composer, openNewChat } from '../../support/browser/chat.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { question } from '../../support/exchange.ts';
import { severalEndpoints } from '../../support/browser/several-endpoints.ts';

const stage = withApp({ ...severalEndpoints(), LIMIT_CONCURRENT_MESSAGES: 'true', CONCURRENT_MESSAGE_MAX: '4' });

const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('a question to two models is answered side by side, asked again of both, and goes on with one', async () => {
  const { page } = await openFirst();
  // By the keyboard: the list of models leads to a further one, and typing finds it.
  await compareWith(page, 'mistral-large');
  let said = 0;
  const answer = () => `A heron stands in the pond at dawn, says witness ${++said}.`;
  stage.app.provider.script('heron', { about: 'never the same', script: () => scriptedStream(textSteps(answer())) });
  await composer(page).fill('Which is it? [[heron]]');
  await page.keyboard.press('Enter');
  const large = column(page, 'mistral-large');
  await large.getByText('Done').waitFor();
  await page.getByTestId('column').first().getByText('Done').waitFor();
  expect(await page.getByTestId('column').count()).toBe(2);
  await expectAccessible(page);

  const differences = page.getByRole('button', { name: 'Differences' });
  await soon(() => differences.isEnabled()).toBe(true);
  await differences.focus();
  await page.keyboard.press('Enter');
  await soon(() => page.locator('mark').allInnerTexts()).toEqual([1, 2].map(() => expect.stringMatching(/^\d\.$/)));
  await expectAccessible(page);
  await differences.click();
  await soon(() => page.locator('mark').count()).toBe(0);

  await composer(page).fill('And now, both?');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByText('And now, both?').count()).toBeGreaterThanOrEqual(2);
  await expect.poll(() => page.getByText('Done', { exact: true }).count()).toBe(2);

  // Another window, and a reload, show the same.
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect.poll(() => other.getByTestId('column').count()).toBe(2);
  await other.close();
  await page.reload();
  await expect.poll(() => page.getByText('Done', { exact: true }).count()).toBe(2);

  // Names are hidden until one is chosen.
  await page.getByRole('button', { name: 'Hide names' }).click();
  await column(page, 'Answer A').waitFor();
  await soon(() => page.getByText('mistral-large').count()).toBe(0);
  await page.getByRole('button', { name: 'Show names' }).click();

  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('tab', { name: 'mistral-large' }).click();
  await expect.poll(() => page.getByRole('tab', { name: 'mistral-large' }).getAttribute('aria-selected')).toBe('true');
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('button', { name: 'Go on with this: mistral-large' }).click();
  await expect.poll(() => page.getByTestId('column').count()).toBe(0);
  await page.locator('#new-conversation-menu').getByText('mistral-large').waitFor();
});

test('a question that is refused as a whole is in its box again, its reason is said once, and it is sent again to all', async () => {
  const { page } = await openFirst();
  await compareWith(page, 'mistral-large');
  await composer(page).fill('First, both?');
  await page.keyboard.press('Enter');
  await soon(() => page.getByText('Done', { exact: true }).count()).toBe(2);
  // Two more would be one too many.
  const { messages } = await apiOf(stage.app, 'alice');
  const busy = [1, 2, 3].map((n) => question(`Busy ${n}`, { model: 'fake:never-ending' }));
  for (const one of busy) await messages.ask.mutate(one);

  await composer(page).fill('And then, both?');
  await page.keyboard.press('Enter');
  const reason = page.getByText('Only 4 message(s) at a time.', { exact: false });
  await reason.waitFor();
  await soon(() => composer(page).inputValue()).toBe('And then, both?');
  expect(await reason.count()).toBe(1);
  await soon(() => page.getByTestId('column').count()).toBe(2);
  expect(await page.getByTestId('column').getByText('Done', { exact: true }).count()).toBe(2);
  await expectAccessible(page);

  for (const { generationId } of busy) await messages.abort.mutate({ generationId });
  await composer(page).press('Enter');
  const own = page.getByTestId('column').locator('[data-own]');
  await soon(() => own.getByText('And then, both?').count()).toBe(2);
  await soon(() => page.getByText('Done', { exact: true }).count()).toBe(2);
  expect(await reason.count()).toBe(0);
  // Nobody but the one that is chosen is asked from then on.
  await page.getByRole('button', { name: 'Go on with this: mistral-large' }).click();
  await soon(() => page.getByTestId('column').count()).toBe(0);
  await soon(() => page.getByRole('list', { name: 'Models that are asked' }).count()).toBe(0);
});

async function openFirst() {
  const opened = await stage.open('alice');
  await openNewChat(opened.page);
  return opened;
}

async function compareWith(page: Page, model: string): Promise<void> {
  await page.locator('#new-conversation-menu').click();
  await page.getByRole('button', { name: 'Compare with…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare with another model' });
  await dialog.getByRole('combobox').or(dialog.getByRole('textbox')).first().fill(model);
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Models that are asked' }).getByText(model).waitFor();
}
