import { PromptFields } from '@parley/schema/prompts/prompts';
import fc from 'fast-check';
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
  expect(await readPromptFile(promptFile([{ ...head, ...kept, version: 2 }]))).toEqual({
    prompts: [kept],
    refused: [],
  });
});

test.each([[[]], [{}], [null], [{ prompts: [] }], [{ promptGroups: {} }], ['text']])('refuses %j', async (content) => {
  await expect(readPromptFile(file(content))).rejects.toThrow();
});

test('names what is no prompt, and reads the others', async () => {
  const good = { command: 'greet', title: 'Greeting', body: 'Hello' };
  const bad = [{ title: 'No text' }, null, { body: 'No title' }, { ...good, title: 'Long', body: 'x'.repeat(32_001) }];
  const more = [
    { title: '\0', body: 'x' },
    { command: '/Blank', title: ' ', body: ' \n' },
  ];
  const { prompts, refused } = await readPromptFile(file([good, ...bad, good, ...more]));
  expect(prompts.map(({ title }) => title)).toEqual(['Greeting', 'Greeting']);
  expect(refused).toEqual(['No text', '#3', '#4', 'Long', '#7', '/Blank']);
});

const group = { _id: 'g1', name: 'Say hello', category: 'write', command: 'hello', productionId: 'p2' };
const versions = [
  { _id: 'p1', groupId: 'g1', prompt: 'Hi', type: 'text' },
  { _id: 'p2', groupId: 'g1', prompt: 'Hello {{name}}', type: 'text' },
  { _id: 'p3', groupId: 'g2', prompt: 'Bye', type: 'text' },
];
const asMongo = JSON.parse(JSON.stringify({ promptGroups: [group], prompts: versions }), (key, value: unknown) =>
  ['_id', 'groupId', 'productionId'].includes(key) ? { $oid: value } : value,
) as object;

test.each([
  ['its API', { promptGroups: [{ ...group, productionPrompt: { prompt: 'Hello {{name}}' } }], pages: 1 }],
  ['groups with their prompts', { promptGroups: [{ ...group, prompts: versions.slice(0, 2) }] }],
  ['groups beside prompts', { promptGroups: [group], prompts: versions }],
  ['an export of its database', asMongo],
])('reads LibreChat’s groups of prompts as %s have them', async (_, content) => {
  const read = { command: 'hello', title: 'Say hello', body: 'Hello {{name}}', tags: ['write'] };
  expect(await readPromptFile(file(content))).toEqual({
    prompts: [{ ...read, presetId: null, tools: [] }],
    refused: [],
  });
});

test('a group without a text is named', async () => {
  const content = {
    promptGroups: [
      { ...group, name: 'Empty' },
      { ...group, prompts: versions.slice(0, 1) },
    ],
  };
  const { prompts, refused } = await readPromptFile(file(content));
  expect([prompts.length, refused]).toEqual([1, ['Empty']]);
});

test('the server takes whatever is read', async () => {
  const text = fc.oneof(
    fc.constantFrom('', ' ', '\0', '/a b', 'Ä', 'x'.repeat(200), '\ud800', 'a,,b', '-'),
    fc.string({ unit: 'binary', maxLength: 50 }),
  );
  const value = fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.constantFrom(null, 7, true, {}));
  const names = ['command', 'shortcut', 'title', 'name', 'body', 'content', 'prompt', 'tags', 'tools', 'presetId'];
  const given = fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(fc.array(given, { minLength: 1, maxLength: 5 }), async (listed) => {
      const { prompts, refused } = await readPromptFile(file(listed));
      expect(prompts.length + refused.length).toBe(listed.length);
      for (const prompt of prompts) expect(PromptFields.safeParse(prompt).error).toBeUndefined();
    }),
  );
});
