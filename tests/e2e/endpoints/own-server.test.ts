// A chat with a model on a server of one's own, which speaks OpenAI's protocol strictly: Qwen on vLLM, behind a gateway that
// refuses a field.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeProvider } from '@parley/scripts/fake-provider';
import { scriptedStream, textSteps } from '@parley/scripts/fake-provider/scenario';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { openTools } from '../../support/browser/add-menu.ts';
import { withApp } from '../../support/browser/app-fixture.ts';
import { attach, picture, uploaded } from '../../support/browser/attachments.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import {
  answered,
  ask,
  composer,
  lastMessage,
  modelPicker,
  openNewChat,
  sendButton,
} from '../../support/browser/chat.ts';
import { showSidePanel, sidePanel } from '../../support/browser/side-panel.ts';

const MODEL = 'Qwen/Qwen3-VL-8B-Thinking';
const vllm = await startFakeProvider();
const folder = mkdtempSync(join(tmpdir(), 'parley-vllm-'));
const CONFIG_PATH = join(folder, 'parley.yaml');
writeFileSync(
  CONFIG_PATH,
  `version: 1.0.7
endpoints:
  custom:
    - name: Our vLLM
      apiKey: fake
      baseURL: ${vllm.url}/strangers/gpustack/v1
      models: { default: ['${MODEL}'] }
`,
);
const stage = withApp({ CONFIG_PATH });
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await vllm.close();
});

interface Asked {
  messages: { role: string; name?: string; content: unknown }[];
  tools?: unknown;
}

/** The requests of answers, whose instructions are those of the chat. */
const asked = () => vllm.requests.flatMap(({ body }) => (isOfChat(body as Asked) ? [body as Asked] : []));
const isOfChat = ({ messages }: Asked) => JSON.stringify(messages[0]).includes('Be brief.');

test('a chat with Qwen on vLLM has instructions, thoughts, tools and a picture, and goes on after a failure', async () => {
  vllm.script('drawn', {
    about: 'sees a picture',
    script: () => scriptedStream(textSteps('It is a red square.')),
  });
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await pickModel(page);
  await showSidePanel(page);
  await sidePanel(page).getByRole('textbox', { name: 'Custom instructions', exact: true }).fill('Be brief.');
  const menu = await openTools(page);
  await menu.getByRole('switch', { name: 'Calculator' }).press('Space');
  await page.keyboard.press('Escape');

  await ask(page, 'How do lighthouses work at night? [[calculate:6 * 7]]');
  await answered(page);
  const step = lastMessage(page).getByTestId('step').locator('summary');
  await step.filter({ hasText: /^Used Calculator/ }).waitFor();
  // The gateway refused a field, and was asked once more without it.
  expect(asked().map((body) => 'stream_options' in body)).toEqual([true, false, false]);
  expect(asked().every((body) => !('user' in body))).toBe(true);

  await ask(page, 'Which is larger? [[reasoning]]');
  await answered(page);
  const thoughts = lastMessage(page).locator('details').filter({ hasText: 'think about it first' });
  await thoughts.locator('summary').click();
  await thoughts.getByText('think about it first').waitFor();
  expect(await lastMessage(page).innerText()).not.toContain('think>');

  await attach(page, await picture('square.png', '#c00'));
  await uploaded(page, 1);
  await composer(page).fill('What is it? [[drawn]]');
  await sendButton(page).click();
  await answered(page);
  await lastMessage(page).getByText('It is a red square.').waitFor();
  expect(JSON.stringify(asked().at(-1)?.messages.at(-1)?.content)).toContain('data:image/');

  await ask(page, 'And now? [[error-500]]');
  await lastMessage(page).getByText('The server had an error while processing your request.').waitFor();
  await composer(page).fill('Once more [[echo]]');
  await page.getByTestId('send-anyway').click();
  await answered(page);
  await lastMessage(page).getByText('Once more').waitFor();

  for (const { messages } of asked()) {
    const [system, ...turns] = messages.map(({ role }) => role);
    expect(system).toBe('system');
    expect(turns).not.toContain('system');
    const spoken = turns.filter((role) => role !== 'tool');
    expect(spoken.every((role, at) => role !== spoken[at - 1] || role === 'assistant')).toBe(true);
    expect(messages.some(({ name }) => name !== undefined)).toBe(false);
    expect(JSON.stringify(messages)).not.toContain('think about it first');
  }
  // Only the first request had the field that is refused.
  expect(asked().filter((body) => 'stream_options' in body)).toHaveLength(1);
  await expectAccessible(page);

  await page.reload();
  await lastMessage(page).getByText('Once more').waitFor();
});

async function pickModel(page: Page): Promise<void> {
  await modelPicker(page).click();
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type(MODEL);
  await page.getByRole('option', { name: new RegExp(`^${MODEL}( |$)`) }).click();
}
