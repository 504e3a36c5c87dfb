// What the operator offers by names of its own, as a person sees it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { answered, ask, openNewChat } from '../../support/browser/chat.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-specs-'));
const CONFIG_PATH = join(folder, 'parley.yaml');
writeFileSync(
  CONFIG_PATH,
  `version: 1.1.7
modelSpecs:
  enforce: true
  list:
    - name: minutes
      label: Meeting minutes
      description: Writes the minutes of a meeting from its transcript.
      preset: { endpoint: openAI, model: 'fake:echo', temperature: 0.2, promptPrefix: Write the minutes. }
    - { name: poems, label: Poems, group: For fun, preset: { endpoint: openAI, model: 'fake:echo', temperature: 1.4 } }
`,
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stage = withApp({ CONFIG_PATH, OPENAI_MODELS: 'gpt-4,gpt-3.5-turbo' });
const picker = (page: Page) => page.locator('#new-conversation-menu');

test('where specs are enforced, people choose among their labels alone, and chats have their settings', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await picker(page).getByText('Meeting minutes').waitFor();
  await picker(page).click();
  const options = page.getByRole('option');
  await soon(() => options.allTextContents()).toEqual([
    'Meeting minutesWrites the minutes of a meeting from its transcript.',
    'Poems',
  ]);
  await page.getByText('For fun').waitFor();
  await expectAccessible(page);
  await options.getByText('Poems').click();
  await picker(page).getByText('Poems').waitFor();
  await ask(page, 'Roses are red');
  await answered(page);
  await picker(page).getByText('Poems').waitFor();
});
