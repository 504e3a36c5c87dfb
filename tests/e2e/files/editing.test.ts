// Questions with files that are edited afterwards.
import { expect, test } from 'vitest';
import { apiClient } from '../../support/browser/api-client.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { answered, messages } from '../../support/browser/chat.ts';
import { question, readFrames } from '../../support/rest/client.ts';
import { upload } from '../../support/uploads.ts';

const stage = withApp();

test('an edited question keeps its files, and may be nothing else', async () => {
  const { page } = await stage.open('alice');
  const { url } = stage.app;
  const alice = await apiClient(stage.app, 'alice');
  const file = await upload(url, alice, { bytes: 'Water boils at 100.', name: 'notes.txt', type: 'text/plain' });
  const conversationId = await ask(alice, { text: 'When?', files: [file] });
  await page.goto(`/c/${conversationId}`);
  const asked = messages(page).first();
  await asked.getByRole('button', { name: 'Edit' }).click();
  const editor = asked.getByRole('textbox', { name: 'Edit your message' });
  await editor.fill('');
  await asked.getByRole('button', { name: 'Save', exact: true }).click();
  await editor.waitFor({ state: 'detached' });
  await asked.getByText('When?').waitFor({ state: 'detached' });

  await asked.getByRole('button', { name: 'Edit' }).click();
  await asked.getByRole('button', { name: 'Save and submit' }).click();
  await answered(page);
  await soon(() => messages(page).first().getByText('2 / 2').count()).toBe(1);
  await messages(page).first().getByText('notes.txt').waitFor();
  const files = await alice.call('GET', '/api/files');
  expect(files).toMatchObject([{ filename: 'notes.txt', usage: 2 }]);
});

test('a file that was deleted looks so, and an edited question leaves it out and says so', async () => {
  const { page } = await stage.open('bob');
  const bob = await apiClient(stage.app, 'bob');
  const uploadText = (bytes: string, name: string) => upload(stage.app.url, bob, { bytes, name, type: 'text/plain' });
  const [kept, gone] = [
    await uploadText('Water boils at 100.', 'kept.txt'),
    await uploadText('Ice melts at 0.', 'gone.txt'),
  ];
  const conversationId = await ask(bob, { text: 'When?', files: [kept, gone] });
  await bob.call('DELETE', '/api/files', { files: [gone] });
  await page.goto(`/c/${conversationId}`);
  const asked = messages(page).first();
  await asked.getByRole('img', { name: 'gone.txt is no longer available' }).waitFor();
  await asked.getByRole('button', { name: 'Download kept.txt' }).waitFor();
  await asked.getByRole('button', { name: 'Edit' }).click();
  await asked.getByText('Deleted meanwhile, so left out: gone.txt').waitFor();
  await asked.getByRole('textbox', { name: 'Edit your message' }).fill('And when?');
  await asked.getByRole('button', { name: 'Save and submit' }).click();
  await answered(page);
  await soon(() => messages(page).first().getByText('2 / 2').count()).toBe(1);
  await messages(page).first().getByText('kept.txt').waitFor();
  await soon(() => messages(page).first().getByText('gone.txt').count()).toBe(0);
});

async function ask({ headers }: Awaited<ReturnType<typeof apiClient>>, over: { text: string; files: object[] }) {
  const body = { ...question(over.text), files: over.files };
  const response = await fetch(`${stage.app.url}/api/ask/openAI`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  let id = '';
  for await (const { data } of readFrames(response)) {
    const { conversation } = data as { conversation?: { conversationId: string } };
    id = conversation?.conversationId ?? id;
  }
  return id;
}
