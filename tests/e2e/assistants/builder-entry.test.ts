// Where the strip beside the chat offers the builder of assistants: not where the operator has closed it, and not before
// the person has given the key that assistants need.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@parley/db/client';
import { assistants } from '@parley/db/tables/assistants';
import { users } from '@parley/db/tables/users';
import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { App } from '../../support/browser/app.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { apiOf, openNewChat } from '../../support/browser/chat.ts';
import { sidePanel, sideStrip, stripIcon } from '../../support/browser/side-panel.ts';
import { createFolder } from '../../support/folders.ts';

const MODEL = 'gpt-4-1106-preview';
const ENV = { OPENAI_MODELS: 'gpt-4o', ASSISTANTS_MODELS: MODEL };
const WITHOUT_BUILDER = ['Parameters', 'Attach files', 'Prompts', 'Hide panel'];
const WITH_BUILDER = WITHOUT_BUILDER.toSpliced(3, 0, 'Assistant builder');

/** An assistant of alice, made before the builder was closed or the key removed. */
async function makePilot({ database }: App): Promise<void> {
  const db = connect(database, { max: 1 });
  const [alice] = await db.query.select().from(users).where(eq(users.email, 'alice@example.com'));
  const values = { userId: alice?.id ?? '', id: `asst_${'a'.repeat(24)}`, model: MODEL, name: 'Pilot' };
  await db.query.insert(assistants).values(values);
  await db.end();
}

async function choosePilot(page: Page): Promise<void> {
  await openNewChat(page);
  await page.locator('#new-conversation-menu').click();
  await page.getByRole('option', { name: /Pilot/ }).first().click();
  await page.getByRole('textbox', { name: 'Message Pilot' }).waitFor();
}

function entries(page: Page): Promise<(string | null)[]> {
  return sideStrip(page)
    .getByRole('button')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
}

describe('on a server whose operator has closed the builder', () => {
  const CONFIG_PATH = join(createFolder(), 'parley.json');
  writeFileSync(CONFIG_PATH, JSON.stringify({ version: '1.0.7', endpoints: { assistants: { disableBuilder: true } } }));
  const stage = withApp({ ...ENV, CONFIG_PATH, ASSISTANTS_API_KEY: 'fake' });

  test('an assistant that answers brings no icon of the builder, also where it was the panel that was open last', async () => {
    const { page } = await stage.open('alice');
    await makePilot(stage.app);
    await openNewChat(page);
    await page.evaluate(() => {
      localStorage.setItem('side:active-panel', 'assistants');
      localStorage.setItem('react-resizable-panels:collapsed', 'false');
    });
    await page.reload();
    await choosePilot(page);
    await soon(() => entries(page)).toEqual(WITHOUT_BUILDER);
    await sidePanel(page).getByRole('heading', { name: 'Parameters' }).waitFor();
    expect(await sidePanel(page).getByTestId('save-assistant').count()).toBe(0);
  });
});

describe('on a server where people bring the key of assistants', () => {
  const stage = withApp({ ...ENV, ASSISTANTS_API_KEY: 'user_provided' });

  test('the icon of the builder comes with the key and goes with it, and the panel shows another entry while it is gone', async () => {
    const { page } = await stage.open('alice');
    const api = await apiOf(stage.app, 'alice');
    await makePilot(stage.app);
    await choosePilot(page);
    await soon(() => entries(page)).toEqual(WITHOUT_BUILDER);

    // Anyone who chooses what needs a key is asked for it.
    const asked = page.getByRole('dialog', { name: 'API key for Assistants' });
    await asked.getByRole('textbox', { name: 'API key' }).fill('sk-of-alice');
    await asked.getByRole('button', { name: 'Save' }).click();
    await asked.waitFor({ state: 'detached' });
    await soon(() => entries(page)).toEqual(WITH_BUILDER);
    await stripIcon(page, 'Assistant builder').press('Enter');
    await sidePanel(page).getByTestId('save-assistant').waitFor();
    await api.keys.remove.mutate({ name: 'assistants' });
    await soon(() => entries(page)).toEqual(WITHOUT_BUILDER);
    await sidePanel(page).getByRole('heading', { name: 'Parameters' }).waitFor();

    const value = JSON.stringify({ apiKey: 'sk-of-alice' });
    await api.keys.save.mutate({ name: 'assistants', value, expiresAt: null });
    await sidePanel(page).getByTestId('save-assistant').waitFor();
    expect(await entries(page)).toEqual(WITH_BUILDER);
  });
});
