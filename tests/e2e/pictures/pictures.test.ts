// Pictures from the + menu to the gallery: asked for, made in their places, changed in one place, and used again.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { addButton } from '../../support/browser/add-menu.ts';
import { chips } from '../../support/browser/attachments.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, ask, composer, lastMessage, openNewChat, sendButton, thread } from '../../support/browser/chat.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';

const stage = withApp({ OPENAI_MODELS: 'gpt-4,fake:echo', OPENAI_IMAGE_MODELS: 'gpt-image-1' });

const bar = (page: Page) => page.getByRole('group', { name: 'Pictures' });
const pictures = (page: Page) => lastMessage(page).locator('img[src^="/images/"]');
const places = (page: Page) => lastMessage(page).getByRole('progressbar', { name: 'Creating the image…' });
const requests = () => stage.app.provider.requests.filter(({ path }) => path.includes('/images/'));

async function beginPictures(page: Page): Promise<void> {
  await addButton(page).click();
  await page.getByRole('menuitem', { name: 'Create an image' }).click();
  await bar(page).waitFor();
}

test('two pictures stand in their places while they are made, and the second is changed in one place only', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await beginPictures(page);
  await soon(() => focused(page)).toMatch(/^Message/);
  await bar(page).getByLabel('Number of images').selectOption({ label: '2 images' });
  await bar(page).getByLabel('Shape').selectOption({ label: 'Wide' });
  await expectAccessible(page);

  await ask(page, 'A hill under the sky fake:slow');
  await soon(() => places(page).count()).toBe(2);
  const before = await Promise.all([0, 1].map((n) => places(page).nth(n).boundingBox()));
  await soon(() => places(page).locator('img').count()).toBe(2);
  await soon(() => pictures(page).count()).toBe(2);
  const after = await Promise.all([0, 1].map((n) => pictures(page).nth(n).locator('..').boundingBox()));
  expect(after.map(rounded)).toEqual(before.map(rounded));
  await expectAccessible(page);

  await pictures(page).nth(1).click();
  const large = page.getByTestId('lightbox');
  await large.getByText('A hill under the sky fake:slow').waitFor();
  await large.getByRole('button', { name: 'Edit' }).click();
  const canvas = large.getByTestId('mask-canvas');
  const box = await canvas.boundingBox();
  if (!box) throw new Error('There is nothing to draw on');
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.3);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.4, { steps: 5 });
  await page.mouse.up();
  await large.getByRole('button', { name: 'Change this area' }).click();
  await large.waitFor({ state: 'detached' });
  await bar(page).getByText('Marked area only').waitFor();
  await soon(() => chips(page).count()).toBe(1);
  expect(await page.getByText("can't see pictures").count()).toBe(0);
  await ask(page, 'A red boat there');
  await soon(() => pictures(page).count()).toBe(2);
  const [sent] = requests().slice(-1);
  expect(sent?.path).toBe('/v1/images/edits');
  expect(String(sent?.body)).toContain('name="mask"; filename="mask.png"');
  // The mark was for one question.
  await soon(() => bar(page).getByText('Marked area only').count()).toBe(0);

  await ask(page, 'Now at night');
  await soon(() => requests().at(-1)?.path).toBe('/v1/images/edits');
  await soon(() => pictures(page).count()).toBe(2);

  await bar(page).getByRole('button', { name: 'Back to text' }).click();
  await bar(page).waitFor({ state: 'detached' });
  await ask(page, 'And in words');
  await soon(() => lastMessage(page).innerText()).toContain('And in words');
});

test('another answer takes the options that are set now', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await beginPictures(page);
  await bar(page).getByLabel('Number of images').selectOption({ label: '1 image' });
  await bar(page).getByLabel('Shape').selectOption({ label: 'Square' });
  await ask(page, 'A mill');
  await answered(page);
  await bar(page).getByLabel('Number of images').selectOption({ label: '2 images' });
  await bar(page).getByLabel('Shape').selectOption({ label: 'Tall' });
  await lastMessage(page).getByRole('button', { name: 'Regenerate' }).click();
  await soon(() => pictures(page).count()).toBe(2);
  await answered(page);
  const box = await pictures(page).first().boundingBox();
  expect(box && box.height > box.width).toBe(true);
});

test('the keyboard marks a place by a frame, and pictures become attachments and variations', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await beginPictures(page);
  await bar(page).getByLabel('Number of images').selectOption({ label: '1 image' });
  await bar(page).getByLabel('Shape').selectOption({ label: 'Square' });
  await ask(page, 'A tower');
  await soon(() => pictures(page).count()).toBe(1);
  await pictures(page).first().click();
  const large = page.getByTestId('lightbox');
  await large.getByRole('button', { name: 'Edit' }).focus();
  await page.keyboard.press('Enter');
  await soon(() => focused(page)).toMatch(/^Image to mark/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowDown');
  await large.getByTestId('mask-frame').waitFor();
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await large.getByRole('button', { name: 'Change this area' }).focus();
  await page.keyboard.press('Enter');
  await bar(page).getByText('Marked area only').waitFor();
  await soon(() => focused(page)).toMatch(/^Message/);
  await bar(page).getByRole('button', { name: 'Remove the mark' }).click();

  await pictures(page).first().click();
  await large.getByRole('button', { name: 'Variations' }).click();
  await soon(() => composer(page).inputValue()).toBe('A variation of this image');
  await soon(() => chips(page).count()).toBe(1);
});

test('all that were made are in the library by day, and their answer tells what was asked for', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await beginPictures(page);
  await ask(page, 'A lighthouse');
  await soon(() => pictures(page).count()).toBeGreaterThan(0);
  await answered(page);
  expect(await lastMessage(page).innerText()).not.toMatch(/tokens/);
  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'My files' }).click();
  const dialog = page.getByRole('dialog', { name: 'My files' });
  await dialog.getByRole('button', { name: /^Generated images/ }).click();
  await soon(() => dialog.getByRole('heading', { level: 3 }).count()).toBe(1);
  await soon(() => dialog.locator('li img').count()).toBeGreaterThan(2);
  await expectAccessible(page);
  await dialog.locator('li button').first().click();
  await page.getByTestId('lightbox').getByRole('button', { name: 'Use as attachment' }).click();
  await soon(() => chips(page).count()).toBe(1);
});

test('pictures that fail say why beside those that came', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await beginPictures(page);
  await bar(page).getByLabel('Number of images').selectOption({ label: '4 images' });
  await ask(page, 'fake:half boats');
  await soon(() => pictures(page).count()).toBe(2);
  await soon(() => thread(page).getByText('Your request was rejected by the safety system.').count()).toBe(2);
});

test.each([
  { name: 'phone', viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: 'light' },
  { name: 'tablet-dark', viewport: { width: 768, height: 1024 }, hasTouch: true, colorScheme: 'dark' },
] as const)('pictures are made and marked by touch: $name', async ({ name: _name, ...options }) => {
  const { page } = await stage.openElsewhere('bob', options);
  await openNewChat(page);
  await beginPictures(page);
  await bar(page).getByLabel('Number of images').selectOption({ label: '2 images' });
  await composer(page).fill('A hill');
  await sendButton(page).tap();
  await soon(() => pictures(page).count()).toBe(2);
  await pictures(page).first().tap();
  const large = page.getByTestId('lightbox');
  await large.getByRole('button', { name: 'Edit' }).tap();
  const canvas = large.getByTestId('mask-canvas');
  await canvas.tap({ position: { x: 60, y: 60 } });
  await large.getByRole('button', { name: 'Change this area' }).tap();
  await bar(page).getByText('Marked area only').waitFor();
});

function rounded(box: { x: number; y: number; width: number; height: number } | null) {
  return box && [box.x, box.width, box.height].map(Math.round);
}
