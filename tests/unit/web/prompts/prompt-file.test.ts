import { expect, test } from 'vitest';
import { promptFile, readPromptFile } from '../../../../web/src/prompts/prompt-file.ts';

const file = (content: unknown) => new Blob([JSON.stringify(content)]);

test.each([
  ['Open WebUI', [{ command: '/Greet', title: 'Greeting', content: 'Hello' }], 'greet'],
  ['a list by names', [{ name: 'Say hello!', prompt: 'Hello' }], 'say-hello'],
  ['a list with a command that is none', { data: [{ command: 'a b', title: 'T', body: 'Hello' }] }, 'a-b'],
])('reads a file of %s', async (_, content, command) => {
  const { prompts } = await readPromptFile(file(content));
  expect(prompts).toEqual([{ command, title: expect.any(String), body: 'Hello', tags: [] }]);
});

test('reads what it writes', async () => {
  const kept = { command: 'greet', title: 'Greeting', body: 'Hello {{me}}', tags: ['a', 'b'] };
  const head = { ownerId: '', id: '', isShared: true, ownerName: null, isFavorite: true, uses: 3, updatedAt: '' };
  expect(await readPromptFile(promptFile([{ ...head, ...kept, version: 2 }]))).toEqual({ prompts: [kept] });
});

test.each([[[]], [{}], [[null]], [[{ title: 'No text' }]], ['text']])('refuses %j', async (content) => {
  await expect(readPromptFile(file(content))).rejects.toThrow();
});
