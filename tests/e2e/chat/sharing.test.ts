// A conversation that is shared by a link: made, read without an account, continued in another one, ended.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PASSWORD } from '../../support/browser/app.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { attach, picture, textFile, uploaded } from '../../support/browser/attachments.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, ask, composer, messages, openNewChat } from '../../support/browser/chat.ts';

const stage = withApp();

test('a link shows the conversation to a visitor, who signs in and goes on with a copy, until its owner ends it', async () => {
  const { page: owner } = await stage.open('alice');
  await stage.open('bob');
  await openNewChat(owner);
  await attach(
    owner,
    await picture('nest.png'),
    await picture('bird.png', '#b45309', 600, 800),
    textFile('list.txt', 'Grey heron'),
  );
  await uploaded(owner, 3);
  await ask(owner, 'Which herons stay here in winter? [[echo]]');
  await answered(owner);
  await owner.getByTestId('share-button').click();
  const dialog = owner.getByRole('dialog', { name: 'Share the chat' });
  await dialog.getByText('Show my name').click();
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = dialog.getByRole('link', { name: 'Open the link' });
  await link.waitFor();
  // The link and the button to copy it are what is left, and nothing that makes one more by mistake.
  const copy = dialog.getByRole('button', { name: 'Copy the link' });
  await soon(() => copy.evaluate((button) => button === document.activeElement)).toBe(true);
  await soon(() => dialog.getByRole('textbox', { name: 'Link', exact: true }).inputValue()).toBe(
    (await link.getAttribute('href')) ?? '',
  );
  expect(await dialog.getByRole('button', { name: 'Create link' }).count()).toBe(0);
  await copy.press('Enter');
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  await dialog.getByText('Expires: Never', { exact: false }).waitFor();
  await dialog.getByText('Pictures and files: 3', { exact: false }).waitFor();
  await expectAccessible(owner);
  const address = new URL((await link.getAttribute('href')) ?? '').pathname;

  const { page: visitor, tolerated } = await stage.visitor();
  // The link that has ended.
  tolerated.push(/status of 404/);
  const renderer = await hold(visitor, /\/markdown-[^/]*\.js$/);
  const read = visitor.waitForResponse(/shares\.read/);
  const response = await visitor.goto(address);
  await (await read).finished();
  await renderer.asked;
  // Its source is not shown.
  expect(await visitor.getByRole('article').count()).toBe(0);
  renderer.release();
  expect(response?.headers()['x-robots-tag']).toBe('noindex');
  await visitor.getByText('Which herons stay here in winter?', { exact: false }).first().waitFor();
  await visitor.getByText('Shared by alice', { exact: false }).waitFor();
  await soon(() => visitor.getByRole('article').count()).toBe(2);
  await filesAreShown(visitor);
  await expectAccessible(visitor);
  await visitor.getByRole('button', { name: 'Continue in my account' }).click();
  await visitor.getByLabel('Email', { exact: true }).fill('bob@example.com');
  await visitor.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await visitor.getByRole('button', { name: 'Continue', exact: true }).click();
  await visitor.waitForURL(/\/c\/[0-9a-f-]{36}$/);
  await messages(visitor).first().getByText('Which herons stay here in winter?', { exact: false }).waitFor();
  await soon(() => loaded(messages(visitor).first())).toEqual([true, true]);
  await ask(visitor, 'And in summer?');
  await answered(visitor);
  await soon(() => messages(visitor).count()).toBe(4);

  await dialog.getByRole('button', { name: 'End', exact: true }).click();
  await dialog.getByRole('button', { name: 'End the link' }).click();
  await soon(() => link.count()).toBe(0);
  await visitor.goto(address);
  await visitor.getByRole('heading', { name: 'This link has expired' }).waitFor();
  await visitor.getByRole('link', { name: 'To the start page' }).click();
  await composer(visitor).waitFor();
});

/** Keeps a file from the page until it is released. */
async function hold(page: Page, url: RegExp): Promise<{ asked: Promise<unknown>; release: () => void }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return { asked: page.waitForRequest(url), release: () => release() };
}

/** The images open in the large view, which steps through them, and the file is shown and saved: all without an account. */
async function filesAreShown(visitor: Page): Promise<void> {
  await soon(() => loaded(visitor.getByRole('main'))).toEqual([true, true]);
  const first = visitor.getByRole('button', { name: 'Open nest.png' });
  await first.press('Enter');
  const large = visitor.getByTestId('lightbox');
  await large.getByText('1 of 2').waitFor();
  await visitor.keyboard.press('ArrowRight');
  await soon(() => loaded(large)).toEqual([true]);
  const [saved] = await Promise.all([
    visitor.waitForEvent('download'),
    large.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(saved.suggestedFilename()).toMatch(/^bird\.\w+$/);
  await visitor.keyboard.press('Escape');
  await large.waitFor({ state: 'detached' });
  await soon(() => first.evaluate((button) => button === document.activeElement)).toBe(true);
  await visitor.getByRole('button', { name: /^list\.txt/ }).click();
  const shown = visitor.getByRole('dialog', { name: 'list.txt' });
  await shown.locator('[data-text]').first().waitFor();
  const [file] = await Promise.all([
    visitor.waitForEvent('download'),
    shown.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('list.txt');
  await expectAccessible(visitor);
  await visitor.keyboard.press('Escape');
  await shown.waitFor({ state: 'detached' });
}

/** Whether each image of a place has its pixels. */
function loaded(place: Locator): Promise<boolean[]> {
  return place
    .locator('img')
    .evaluateAll((images: HTMLImageElement[]) => images.map((image) => image.naturalWidth > 0));
}
