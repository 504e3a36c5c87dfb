// The exports of DeepSeek, Gemini, Grok, LobeChat, TypingMind and ChatbotUI, and those that are only named.
import { messageText } from '@parley/schema/messages/messages';
import { createSlices } from '@parley/server/platform/event-loop';
import { readConvos } from '@parley/server/transfer/detect-format';
import { markdownOfHtml } from '@parley/server/transfer/formats/html-markdown';
import { describeUnread } from '@parley/server/transfer/formats/other-products';
import type { SourceConvo } from '@parley/server/transfer/source';
import { describe, expect, test } from 'vitest';

const TIME = '2026-05-03T10:00:00.000Z';

test("DeepSeek's conversations come with their branches, reasoning, searches and the names of files", async () => {
  const node = (parent: string | null, children: string[], message: object | null) => ({ parent, children, message });
  const said = (fragments: object[], files: object[] = []) => ({
    files,
    model: 'deepseek-reasoner',
    inserted_at: '2026-05-03T18:00:00.000000+08:00',
    fragments,
  });
  const [convo] = await read({
    id: 'c1',
    title: 'Kites',
    inserted_at: '2026-05-03T18:00:00.000000+08:00',
    updated_at: '2026-05-03T18:05:00.000000+08:00',
    mapping: {
      root: node(null, ['1'], null),
      '1': node('root', ['2', '3'], said([{ type: 'REQUEST', content: 'Why?' }], [{ file_name: 'plan.pdf' }])),
      '2': node(
        '1',
        [],
        said([
          { type: 'THINK', content: 'Hm.' },
          { type: 'SEARCH', content: '', results: [{ url: 'https://kites.example/', title: 'Kites' }] },
          { type: 'RESPONSE', content: 'Wind.' },
        ]),
      ),
      '3': node('1', [], said([{ type: 'RESPONSE', content: 'Air.' }])),
    },
  });
  expect(convo).toMatchObject({ title: 'Kites', endpoint: 'deepseek', model: 'deepseek-reasoner', dropped: 0 });
  expect(told(convo)).toEqual([
    ['1', 'root', 'User', 'Why?\n[file: plan.pdf]'],
    ['2', '1', 'DeepSeek', 'Wind.'],
    ['3', '1', 'DeepSeek', 'Air.'],
  ]);
  expect(convo?.messages[1]?.parts).toMatchObject([
    { type: 'reasoning', text: 'Hm.' },
    { type: 'tool_call', call: { name: 'web_search', output: 'Kites\nhttps://kites.example/' } },
    { type: 'text' },
  ]);
  expect(convo?.createdAt).toBe(Date.parse(TIME));
});

test("Gemini's activities come as a question and its answer, whose HTML is Markdown again", async () => {
  const activity = {
    header: 'Gemini Apps',
    title: 'Prompted Plan a trip to the sea  Attached 1 file.',
    time: TIME,
    products: ['Gemini Apps'],
    attachedFiles: ['map.png'],
    subtitles: [{ name: 'Sea', url: 'https://sea.example/' }],
    safeHtmlItem: [{ html: '<h2>Plan</h2><ol><li><p>Go <b>early</b></p></li><li>Swim</li></ol>' }],
  };
  const [convo] = await read(activity);
  expect(convo).toMatchObject({ title: 'Plan a trip to the sea', endpoint: 'google', createdAt: Date.parse(TIME) });
  expect(told(convo).map(([, , sender, text]) => [sender, text])).toEqual([
    ['User', 'Plan a trip to the sea\n[file: map.png]'],
    ['Gemini', '## Plan\n\n1. Go **early**\n\n2. Swim\n\n([Sea](https://sea.example/))'],
  ]);
  expect((await read({ ...activity, title: 'Created Gemini Canvas titled Sea' }))[0]?.messages).toEqual([]);
});

test('HTML of an answer keeps code, tables, links and emphasis', () => {
  const html =
    '<p>See <a href="https://a.example/(x)">this</a> and <code>f(x)</code>:</p>' +
    '<pre><code class="language-ts">const a = 1;\n  b &lt; 2</code></pre>' +
    '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>' +
    '<script>alert(1)</script>';
  const markdown = markdownOfHtml(html);
  expect(markdown).toContain('See [this](https://a.example/(x%29) and `f(x)`:');
  expect(markdown).toContain('```ts\nconst a = 1;\n  b < 2\n```');
  expect(markdown).toContain('| A | B |\n| --- | --- |\n| 1 | 2 |');
  expect(markdown).not.toContain('alert');
});

test("Grok's conversations come with their times, whichever way they are written", async () => {
  const response = (over: object) => ({
    response: { create_time: { $date: { $numberLong: `${Date.parse(TIME)}` } }, ...over },
  });
  const list = await read({
    conversations: [
      {
        conversation: { id: 'g1', title: 'Rockets', create_time: TIME, modify_time: TIME, starred: true },
        responses: [
          response({ _id: 'q', sender: 'human', message: 'How?', file_attachments: ['f1'] }),
          response({
            _id: 'a',
            sender: 'ASSISTANT',
            message: 'Fast.',
            model: 'grok-4',
            thinking_trace: 'Hm',
            parent_response_id: 'q',
          }),
          response({ _id: 'b', sender: 'assistant', message: 'Slow', partial: true, parent_response_id: 'q' }),
        ],
      },
      {
        conversation: { id: 'g2', title: 'Boats', create_time: TIME },
        responses: [response({ sender: 'human', message: 'Hi' })],
      },
    ],
    projects: [],
  });
  expect(list.map(({ title, isPinned, messages }) => [title, isPinned, messages.length])).toEqual([
    ['Rockets', true, 3],
    ['Boats', false, 1],
  ]);
  expect(told(list[0])).toEqual([
    ['q', null, 'User', 'How?\n[file: f1]'],
    ['a', 'q', 'Grok', 'Fast.'],
    ['b', 'q', 'Grok', 'Slow'],
  ]);
  expect(list[0]?.messages[2]).toMatchObject({ unfinished: true, createdAt: Date.parse(TIME) });
});

describe('an app whose export has all chats', () => {
  const at = Date.parse(TIME);

  test("LobeChat's messages become a conversation for each topic, in both of its forms", async () => {
    const state = {
      sessions: [{ id: 's1', meta: { title: 'Tutor' }, config: { systemRole: 'Be kind' } }],
      topics: [{ id: 't1', title: 'Verbs', favorite: true, createdAt: at, updatedAt: at }],
      messages: [
        {
          id: 'm2',
          role: 'assistant',
          content: 'Sure',
          sessionId: 's1',
          topicId: 't1',
          parentId: 'm1',
          createdAt: at + 2,
          extra: { fromModel: 'claude-4', fromProvider: 'anthropic' },
          tools: [{ id: 'k', identifier: 'web', apiName: 'search', arguments: '{}' }],
        },
        { id: 'm1', role: 'user', content: 'Teach me', sessionId: 's1', topicId: 't1', createdAt: at + 1 },
        {
          id: 'm3',
          role: 'tool',
          content: 'Found',
          sessionId: 's1',
          topicId: 't1',
          tool_call_id: 'k',
          createdAt: at + 3,
        },
        { id: 'm4', role: 'user', content: 'Outside', sessionId: 's1', createdAt: at },
      ],
    };
    for (const file of [
      { exportType: 'all', state, version: 7 },
      { data: state, mode: 'postgres', schemaHash: 'x' },
    ]) {
      const list = await read(file);
      expect(
        list.map(({ title, endpoint, settings, messages }) => [title, endpoint, settings, messages.length]),
      ).toEqual([
        ['Verbs', 'anthropic', { promptPrefix: 'Be kind' }, 2],
        ['Tutor', 'openAI', { promptPrefix: 'Be kind' }, 1],
      ]);
      expect(list[0]).toMatchObject({ isPinned: true, model: 'claude-4' });
      expect(list[0]?.messages[1]?.parts).toMatchObject([
        { text: 'Sure' },
        { type: 'tool_call', call: { name: 'web.search', output: 'Found' } },
      ]);
    }
  });

  test("TypingMind's chats keep their folders, pictures' places and several answers", async () => {
    const file = {
      data: {
        folders: [{ id: 'f1', title: 'Work' }],
        chats: [
          {
            chatID: 'a',
            chatTitle: 'Letters',
            model: 'gpt-4o',
            folderID: 'f1',
            createdAt: TIME,
            updatedAt: TIME,
            chatParams: { systemMessage: 'Be brief' },
            messages: [
              {
                uuid: 'q',
                role: 'user',
                content: [
                  { type: 'text', text: 'Look' },
                  { type: 'image_url', image_url: { url: 'https://x.example/a.png' } },
                ],
              },
              {
                type: 'tm_multi_responses',
                responses: [
                  { model: 'gpt-4o', messages: [{ role: 'assistant', content: 'One' }] },
                  { model: 'claude-4', messages: [{ role: 'assistant', content: 'Two' }] },
                ],
              },
              { uuid: 'e', role: 'user', content: 'Thanks' },
            ],
          },
        ],
      },
    };
    const [convo] = await read(file);
    expect(convo).toMatchObject({ title: 'Letters', folder: { name: 'Work' }, settings: { promptPrefix: 'Be brief' } });
    expect(told(convo)).toEqual([
      ['q', null, 'User', 'Look\n[image]'],
      ['1 0 0', 'q', 'gpt-4o', 'One'],
      ['1 1 0', 'q', 'gpt-4o', 'Two'],
      ['e', '1 0 0', 'User', 'Thanks'],
    ]);
    expect(convo?.messages.map(({ model }) => model)).toEqual([null, 'gpt-4o', 'gpt-4o', null]);
  });

  test("ChatbotUI's newest and first exports come", async () => {
    const chat = {
      id: 'x',
      name: 'Poems',
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Ho' },
      ],
      model: { id: 'gpt-4' },
      prompt: 'Rhyme',
      temperature: 1,
      folderId: 'f',
    };
    const [newest] = await read({
      version: 4,
      history: [chat],
      folders: [{ id: 'f', name: 'Art', type: 'chat' }],
      prompts: [],
    });
    expect(newest).toMatchObject({
      title: 'Poems',
      model: 'gpt-4',
      folder: { name: 'Art' },
      settings: { promptPrefix: 'Rhyme' },
    });
    const [first] = await read({ ...chat, id: 1, folderId: null });
    expect(told(first)).toEqual([
      ['0', null, 'User', 'Hi'],
      ['1', '0', 'gpt-4', 'Ho'],
    ]);
  });
});

const NAMED: readonly [string, object][] = [
  ['NextChat', { 'chat-next-web-store': { sessions: [] } }],
  ['Chatbox', { 'chat-sessions': [], settings: {} }],
  ['Cherry Studio', { time: 1, version: 5, localStorage: {}, indexedDB: {} }],
  ['Better ChatGPT', { chats: [{ id: 'a', title: 'A', messages: [], config: {} }], folders: {}, version: 1 }],
  ['big-AGI', { conversations: [{ id: 'a', messages: [], systemPurposeId: 'Generic' }], models: {} }],
  ['Jan', { id: 'a', object: 'thread', title: 'A', assistants: [], metadata: {} }],
  ['LM Studio', { name: 'A', messages: [], usePerChatPredictionConfig: true }],
  [
    'Le Chat (Mistral)',
    { id: 'a', chatId: 'b', role: 'user', content: 'Hi', contentChunks: null, reaction: 'neutral' },
  ],
  ['Perplexity', { threads: [{ id: 'a', entries: [] }] }],
  ['SillyTavern', { user_name: 'A', character_name: 'B', create_date: '' }],
  ['HuggingChat', { id: 'a', messages: [], preprompt: '' }],
  ['AnythingLLM', { workspace: 'A', prompt: 'Hi', response: 'Ho' }],
  ['Claude Code', { type: 'user', sessionId: 'a', cwd: '/', uuid: 'b', message: {} }],
];

test.each(NAMED)('an export of %s is named, since nothing of it is read', async (product, value) => {
  expect(await readConvos(value, createSlices(100))).toBeNull();
  expect(describeUnread(value)).toEqual({ reason: 'other_product', product });
});

test('an unknown file has no product name', () => {
  for (const value of [{}, { title: 'x' }, [], 'text', null]) expect(describeUnread(value)).toBeNull();
});

async function read(value: unknown): Promise<SourceConvo[]> {
  const list = await readConvos(value, createSlices(100));
  if (!list) throw new Error('Not read');
  return list;
}

function told(convo: SourceConvo | undefined) {
  return (convo?.messages ?? []).map((one) => [one.id, one.parentId, one.sender, messageText(one)]);
}
