import { expect, test } from 'vitest';
import { promptFile, readPromptFile } from '../../../../web/src/prompts/prompt-file.ts';

const file = (content: unknown) => new Blob([JSON.stringify(content)]);

test.each([
  ['Open WebUI', [{ command: '/Greet', title: 'Greeting', content: 'Hello' }], 'greet'],
  ['a list by names', [{ name: 'Say hello!', prompt: 'Hello' }], 'say-hello'],
  ['a list with a command that is none', { data: [{ command: 'a b', title: 'T', body: 'Hello' }] }, 'a-b'],
])('reads a file of %s', async (_, content, command) => {
  const { prompts } = await readPromptFile(file(content));
  expect(prompts).toEqual([{ command, title: expect.any(String), body: 'Hello', tags: [], presetId: null, tools: [] }]);
});

test.each([
  [null, []],
  ['9c0f8f8e-3f51-4b0e-8a57-1a2b3c4d5e6f', ['calculator', 'mcp:notes']],
])('reads what it writes, with the preset %s and the tools %j', async (presetId, tools) => {
  const kept = { command: 'greet', title: 'Greeting', body: 'Hello {{me}}', tags: ['a', 'b'], presetId, tools };
  const head = { ownerId: '', id: '', isShared: true, ownerName: null, isFavorite: true, uses: 3, updatedAt: '' };
  expect(await readPromptFile(promptFile([{ ...head, ...kept, version: 2 }]))).toEqual({ prompts: [kept] });
});

test.each([[[]], [{}], [[null]], [[{ title: 'No text' }]], ['text']])('refuses %j', async (content) => {
  await expect(readPromptFile(file(content))).rejects.toThrow();
});

test('leaves out what is no preset and no tool', async () => {
  const given = {
    command: 'greet',
    title: 'Greeting',
    body: 'Hello',
    presetId: 'mine',
    tools: ['', 7, 'x'.repeat(129), 'calculator'],
  };
  expect((await readPromptFile(file([given]))).prompts[0]).toMatchObject({ presetId: null, tools: ['calculator'] });
});
