import { randomUUID } from 'node:crypto';
import { messageText, type Message } from '@parley/schema/messages/messages';
import type { ImportItem } from '@parley/schema/transfer/results';
import { buildTree } from '@parley/schema/messages/tree';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { importFor } from './import-file.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { chatGpt, message, reference, says } from './files.ts';
import { threadLength } from '../../support/extent.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services?.close());

describe('a file of ChatGPT', () => {
  test('keeps its branches, times and texts', async () => {
    const file = [
      chatGpt('lights', [
        ['root', null, null],
        ['sys', 'root', says('system', '', { metadata: { is_visually_hidden_from_conversation: true } })],
        ['q', 'sys', says('user', 'What is a lighthouse?', { seconds: 1_700_000_010 })],
        ['a2', 'q', says('assistant', 'Another answer', { seconds: 1_700_000_030 })],
        ['a1', 'q', says('assistant', 'A tower', { seconds: 1_700_000_020, metadata: { model_slug: 'gpt-4' } })],
        ['q2', 'a1', says('user', 'How tall?', { seconds: 1_700_000_040 })],
      ]),
    ];
    const [item] = await importAs(alice, file);
    expect(item).toMatchObject({ outcome: 'imported', title: 'Title of lights', messages: 4, dropped: 0 });
    const { convo, messages } = await readBack(alice, item);
    expect(convo).toMatchObject({
      title: 'Title of lights',
      endpoint: 'openAI',
      model: 'gpt-4o',
      createdAt: '2023-11-14T22:13:20.000Z',
      updatedAt: '2023-11-14T22:28:20.500Z',
    });
    expect(outline(messages)).toEqual([
      [
        'What is a lighthouse?',
        [
          ['Another answer', []],
          ['A tower', [['How tall?', []]]],
        ],
      ],
    ]);
    expect(messages.map(({ sender, model, createdAt }) => [sender, model, createdAt.slice(17, 19)])).toContainEqual([
      'GPT-4',
      'gpt-4',
      '40',
    ]);
  });

  test('joins a model and its tools into one answer; hidden texts and images leave only their names', async () => {
    const code = { content_type: 'code', language: 'python', text: 'print(6 * 7)' };
    const file = chatGpt('tools', [
      [
        'q',
        null,
        says('user', {
          content_type: 'multimodal_text',
          parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-1' }, 'See?'],
        }),
      ],
      ['context', 'q', says('user', { content_type: 'user_editable_context', user_profile: 'secret' })],
      [
        'thinking',
        'context',
        says('assistant', { content_type: 'thoughts', thoughts: [{ summary: 'Hm', content: 'let me count' }] }),
      ],
      ['call', 'thinking', says('assistant', code, { recipient: 'python' })],
      ['result', 'call', says('tool', { content_type: 'execution_output', text: '42' })],
      ['answer', 'result', says('assistant', 'It is 42.', { metadata: { finish_details: { type: 'max_tokens' } } })],
      ['snippet', 'answer', says('assistant', { content_type: 'code', language: 'js', text: 'a ``` b' })],
    ]);
    const { messages } = await readBack(alice, (await importAs(alice, file))[0]);
    expect(messages.map(messageText)).toEqual([
      '[image: file-service://file-1]\nSee?',
      'It is 42.````js\na ``` b\n````',
    ]);
    expect(messages[1]?.parts.slice(0, 3)).toEqual([
      { type: 'reasoning', text: 'Hm\nlet me count' },
      {
        type: 'tool_call',
        call: { id: '', kind: 'code_interpreter', name: 'python', input: 'print(6 * 7)', output: '42', progress: 1 },
      },
      { type: 'text', text: 'It is 42.' },
    ]);
    expect(messages[1]?.finishReason).toBe('stop');
  });
});

describe('a file of the reference system', () => {
  const list = [
    message('q', null, 'Question'),
    message('a1', 'q', 'First', { isCreatedByUser: false, sender: 'GPT-4', finish_reason: 'length', model: 'gpt-4' }),
    message('a2', 'q', 'Nothing works', { isCreatedByUser: false, sender: 'GPT-4', error: true }),
    message('q2', 'a1', 'And then?', { createdAt: 'yesterday' }),
  ];

  test('gives the same as a list and as a tree', async () => {
    const [listed] = await importAs(alice, reference('as a list', list));
    const [q, a1, a2, q2] = list;
    const nested = {
      ...q,
      children: [
        { ...a1, children: [{ ...q2, children: [] }] },
        { ...a2, children: [] },
      ],
    };
    const tree = reference('as a tree', [], { messages: undefined, messagesTree: [nested], recursive: true });
    const [treed] = await importAs(alice, tree);
    const [one, other] = [await readBack(alice, listed), await readBack(alice, treed)];
    expect(outline(one.messages)).toEqual([
      [
        'Question',
        [
          ['First', [['And then?', []]]],
          ['', []],
        ],
      ],
    ]);
    expect(outline(other.messages)).toEqual(outline(one.messages));
    expect(one.convo).toMatchObject({ model: 'gpt-4', settings: { temperature: 0.3 } });
    expect(one.messages.find(({ reason }) => reason)?.reason).toEqual({ type: 'unknown', text: 'Nothing works' });
    expect(one.messages.find(({ finishReason }) => finishReason)?.finishReason).toBe('length');
    expect(one.messages.find((last) => messageText(last) === 'And then?')?.createdAt).toBe('2024-03-01T10:00:00.000Z');
  });

  test('includes the tools of assistants and plugins', async () => {
    const content = [
      {
        type: 'tool_call',
        tool_call: {
          id: 't',
          type: 'code_interpreter',
          code_interpreter: { input: '1+1', outputs: [{ type: 'logs', logs: '2' }] },
        },
      },
      { type: 'text', text: { value: 'Two.', annotations: [] } },
      { type: 'image_file', image_file: { file_id: 'file-9' } },
      { type: 'hologram' },
    ];
    const plugins = [{ runId: 'r', latest: 'wolfram', inputs: ['2+2'], outputs: '4', loading: false }];
    const file = reference('tools of others', [
      message('x', null, 'Count'),
      message('y', 'x', '', { isCreatedByUser: false, content }),
      message('z', 'y', 'Asking. :::plugin:::\nFour.', { isCreatedByUser: false, plugins }),
    ]);
    const { messages } = await readBack(alice, (await importAs(alice, file))[0]);
    expect(messages.map(messageText)).toEqual(['Count', 'Two.[image: file-9]', 'Asking. Four.']);
    const calls = messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool_call' ? part.call : [])),
    );
    expect(calls.map(({ kind, name, input, output }) => [kind, name, input, output])).toEqual([
      ['code_interpreter', 'code_interpreter', '1+1', '2'],
      ['function', 'wolfram', '2+2', '4'],
    ]);
  });
});

test('a list of parts that says nothing never hides the text; names of files, tools and counts stay', async () => {
  const agentOptions = { agent: 'classic', skipCompletion: false, model: 'gpt-4', temperature: 0.5 };
  const call = { id: 't', name: 'weather', args: { city: 'Oslo' }, output: 'Rain' };
  const file = reference(
    'what hides text',
    [
      message('a', null, 'Under an empty list', { content: [], tokenCount: 7 }),
      message('b', 'a', 'Under a strange list', { content: [{ type: 'hologram' }], isCreatedByUser: false }),
      message('c', 'b', 'With a file', { files: [{ file_id: 'f', filename: 'plan.pdf', type: 'application/pdf' }] }),
      message('d', 'c', '', { content: [{ type: 'tool_call', tool_call: call }], isCreatedByUser: false }),
      message('e', 'd', 'It broke', { content: [], error: true, isCreatedByUser: false }),
    ],
    {
      endpoint: 'gptPlugins',
      options: { model: 'gpt-4', agentOptions, tools: [{ pluginKey: 'wolfram', name: 'Wolfram' }] },
    },
  );
  const [item] = await importAs(alice, file);
  expect(item).toMatchObject({ messages: 5, dropped: 1 });
  const { convo, messages } = await readBack(alice, item);
  expect(messages.map(messageText).slice(0, 3)).toEqual([
    'Under an empty list',
    'Under a strange list',
    'With a file\n[file: plan.pdf]',
  ]);
  expect(messages[0]?.tokenCount).toBe(7);
  expect(messages[3]?.parts).toMatchObject([
    { type: 'tool_call', call: { name: 'weather', input: '{"city":"Oslo"}', output: 'Rain' } },
  ]);
  expect(messages[4]?.reason).toEqual({ type: 'unknown', text: 'It broke' });
  expect(convo.settings).toEqual({ tools: ['wolfram'], agentOptions });
});

test("Claude's export keeps texts, branches, reasoning and attachments", async () => {
  const said = (uuid: string, sender: string, over: object) => ({
    uuid,
    sender,
    text: '',
    content: [],
    created_at: '2025-03-01T10:00:00.000000Z',
    updated_at: '2025-03-01T10:00:00.000000Z',
    attachments: [],
    files: [],
    ...over,
  });
  const file = {
    uuid: randomUUID(),
    name: 'Letters',
    created_at: '2025-03-01T09:00:00.000000Z',
    updated_at: '2025-03-01T11:00:00.000000Z',
    account: { uuid: randomUUID() },
    chat_messages: [
      said('q', 'human', {
        text: 'Read this',
        attachments: [{ file_name: 'note.txt', extracted_content: 'One\nTwo' }],
        files: [{ file_name: 'photo.png' }],
      }),
      said('a', 'assistant', {
        content: [
          { type: 'thinking', thinking: 'Hm' },
          { type: 'text', text: 'Read.' },
          { type: 'tool_use', id: 't', name: 'search', input: { q: 'x' } },
          { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'Found' }] },
        ],
      }),
      said('q2', 'human', { text: 'Again', parent_message_uuid: 'q' }),
    ],
  };
  const [item] = await importAs(alice, [file]);
  const { convo, messages } = await readBack(alice, item);
  expect(convo).toMatchObject({ title: 'Letters', endpoint: 'anthropic', createdAt: '2025-03-01T09:00:00.000Z' });
  expect(outline(messages)).toEqual([
    [
      'Read this\n[file: note.txt]\n> One\n> Two\n[file: photo.png]',
      [
        ['Read.', []],
        ['Again', []],
      ],
    ],
  ]);
  expect(messages.find(({ isCreatedByUser }) => !isCreatedByUser)?.parts).toMatchObject([
    { type: 'reasoning', text: 'Hm' },
    { type: 'text', text: 'Read.' },
    { type: 'tool_call', call: { name: 'search', input: '{"q":"x"}', output: 'Found' } },
  ]);
});

test("Open WebUI's export keeps its tree, models and reasoning", async () => {
  const history = {
    currentId: 'a2',
    messages: {
      q: {
        id: 'q',
        parentId: null,
        childrenIds: ['a1', 'a2'],
        role: 'user',
        content: 'Why?',
        timestamp: 1_740_000_000,
      },
      a1: {
        id: 'a1',
        parentId: 'q',
        childrenIds: [],
        role: 'assistant',
        content: 'So.',
        model: 'llama3',
        timestamp: 1_740_000_001,
      },
      a2: {
        id: 'a2',
        parentId: 'q',
        childrenIds: [],
        role: 'assistant',
        content: '<details type="reasoning" done="true">\n<summary>Thought</summary>\n> Hm\n</details>\nThus.',
        model: 'llama3',
        timestamp: 1_740_000_002,
      },
    },
  };
  const chat = { title: 'Reasons', models: ['llama3'], history };
  const times = { created_at: 1_740_000_000, updated_at: 1_740_000_100 };
  const [item] = await importAs(alice, [{ id: randomUUID(), title: 'Reasons', chat, archived: true, ...times }]);
  const { convo, messages } = await readBack(alice, item);
  expect(convo).toMatchObject({ title: 'Reasons', model: 'llama3' });
  expect(outline(messages)).toEqual([
    [
      'Why?',
      [
        ['So.', []],
        ['Thus.', []],
      ],
    ],
  ]);
  expect(messages.some(({ parts }) => parts.some((part) => part.type === 'reasoning' && part.text === 'Hm'))).toBe(
    true,
  );
});

describe('a repeated import', () => {
  test('is recognized, and only new messages are added', async () => {
    const nodes = [
      ['q', null, says('user', 'Once', { seconds: 1_700_000_000 })],
      ['a', 'q', says('assistant', 'Twice', { seconds: 1_700_000_001 })],
    ] satisfies Parameters<typeof chatGpt>[1];
    const [first] = await importAs(alice, [chatGpt('again', nodes)]);
    const [second] = await importAs(alice, [chatGpt('again', nodes)]);
    expect(second).toEqual({ ...imported(first), outcome: 'present' });
    const longer = chatGpt('again', [...nodes, ['q2', 'a', says('user', 'Thrice', { seconds: 1_700_000_002 })]]);
    const [third] = await importAs(alice, [longer]);
    expect(third).toEqual({ ...imported(first), outcome: 'extended', messages: 1, dropped: 0 });
    const { messages } = await readBack(alice, third);
    expect(outline(messages)).toEqual([['Once', [['Twice', [['Thrice', []]]]]]]);
  });

  test('within one file is imported once', async () => {
    const file = reference(randomUUID(), [message('m', null, 'Echo')]);
    const items = await importAs(alice, [file, file]);
    expect(items.map(({ outcome }) => outcome)).toEqual(['imported', 'present']);
  });

  test('makes another conversation for another user', async () => {
    const file = reference(randomUUID(), [message(randomUUID(), null, 'Mine')]);
    const [[hers], [his]] = [await importAs(alice, file), await importAs(bob, file)];
    expect(his).toMatchObject({ outcome: 'imported', messages: 1 });
    expect(imported(his).conversationId).not.toBe(imported(hers).conversationId);
  });

  test('leaves deleted conversations deleted', async () => {
    const file = reference(randomUUID(), [message('m', null, 'Gone')]);
    const [item] = await importAs(alice, file);
    await alice.api.convos.remove({ conversationId: imported(item).conversationId });
    expect(await importAs(alice, file)).toMatchObject([{ outcome: 'skipped', reason: 'in_bin' }]);
  });

  test('never reaches a user whose ids it has', async () => {
    const theirs = await exchange(services, alice.id, question('Private words'));
    const { conversationId } = theirs.convo;
    const file = reference(conversationId, [
      message(theirs.request.messageId, null, 'Forged'),
      message(randomUUID(), theirs.reply.messageId, 'Appended'),
    ]);
    const [item] = await importAs(bob, file);
    expect(imported(item).conversationId).not.toBe(conversationId);
    const { messages } = await readBack(alice, { ...imported(item), conversationId });
    expect(messages.map(messageText)).toEqual(['Private words', messageText(theirs.reply)]);
  });
});

describe('a hostile file', () => {
  test('is reported line by line, and its good parts are kept', async () => {
    const deep = `${'{"a":['.repeat(100_000)}1${']}'.repeat(100_000)}`;
    const lines = [
      '17',
      '"text"',
      '[[{}]]',
      'null',
      '{"title":"Not json" oops}',
      deep,
      JSON.stringify({ title: 'Strange', conversationId: 7, messages: 'none' }),
      JSON.stringify({ title: 'No mapping', mapping: [], id: 'x' }),
      JSON.stringify(reference('empty', [])),
      JSON.stringify(reference('wrong', [1, null, { text: 'without an id' }, message('ok', 'missing parent', 'Kept')])),
      JSON.stringify(reference('long', [message('m', null, 'x'.repeat(2_000_001))])),
      '{"__proto__":{"conversationId":"p"},"conversationId":"proto","title":"Nul \\u0000 and half \\ud83d",' +
        '"messages":[{"messageId":"n\\u0000","text":"a\\u0000b\\ud83d","createdAt":"9999-99-99","isCreatedByUser":"yes","reason":{"type":"banned","until":{}},"parts":5}]}',
      JSON.stringify(reference('good', [message('g', null, 'Good')])),
    ];
    const items = await importAs(bob, `[${lines.join(',')}]`);
    expect(items.map((item) => (item.outcome === 'skipped' ? item.reason : item.outcome))).toEqual([
      ...Array.from({ length: 4 }, () => 'unknown_kind'),
      'malformed',
      ...Array.from({ length: 3 }, () => 'unknown_kind'),
      'no_messages',
      'imported',
      'message_too_long',
      'imported',
      'imported',
    ]);
    expect(items[9]).toMatchObject({ messages: 1, dropped: 3 });
    const odd = await readBack(bob, items[11]);
    expect(odd.convo.title).toBe('Nul  and half \ufffd');
    expect(odd.messages[0]).toMatchObject({ parts: [{ type: 'text', text: 'ab\ufffd' }], reason: null });
  });

  test('makes a tree despite cycles and duplicate ids', async () => {
    const circle = reference('circle', [
      message('a', 'c', 'A'),
      message('b', 'a', 'B'),
      message('c', 'b', 'C'),
      message('self', 'self', 'Self'),
      message('b', null, 'B again'),
    ]);
    const [item] = await importAs(bob, circle);
    expect(item).toMatchObject({ outcome: 'imported', messages: 4, dropped: 1 });
    const nodes = chatGpt('loop', [
      ['x', 'y', says('user', 'X')],
      ['y', 'x', says('assistant', 'Y')],
    ]);
    const [loop] = await importAs(bob, nodes);
    expect(outline((await readBack(bob, item)).messages)).toEqual([
      ['A', [['B', [['C', []]]]]],
      ['Self', []],
    ]);
    expect(outline((await readBack(bob, loop)).messages)).toEqual([['X', [['Y', []]]]]);
  });

  test('is imported with thousands of nested messages, ordered and searchable', async () => {
    const count = threadLength;
    const opened = Array.from({ length: count }, (_, index) => {
      const one = message(`m${index}`, null, `Line ${index}`, { isCreatedByUser: index % 2 === 0 });
      return `${JSON.stringify(one).slice(0, -1)},"children":[`;
    });
    const file = `{"conversationId":"deep","title":"Deep","messagesTree":[${opened.join('')}${']}'.repeat(count)}]}`;
    const [item] = await importAs(bob, file);
    expect(item).toMatchObject({ outcome: 'imported', messages: count });
    const { messages } = await readBack(bob, item);
    expect(messages.map(messageText)).toEqual(Array.from({ length: count }, (_, index) => `Line ${index}`));
    expect(messages.every((one, index) => one.parentMessageId === (messages[index - 1]?.messageId ?? null))).toBe(true);
  });

  test.each([
    ['', 'empty'],
    ['PK\u0003\u0004', 'damaged_zip'],
    ['<html>', 'not_json'],
    ['{"conversationId":"cut","messages":[', 'cut_off'],
  ])('reports %j at the end', async (file, fault) => {
    expect(await importFor(services, bob, file)).toEqual([{ end: true, items: 0, fault }]);
  });

  test('is refused in another encoding than UTF-8', async () => {
    const umlaut = JSON.stringify(reference('umlaut', [message('u', null, 'M\u00fcller')]));
    const good = JSON.stringify(reference('plain', [message('p', null, 'Miller')]));
    const lines = await importFor(services, bob, new Uint8Array(Buffer.from(`[${umlaut},${good}]`, 'latin1')));
    expect(lines).toMatchObject([
      { outcome: 'skipped', reason: 'wrong_encoding' },
      { outcome: 'imported' },
      { end: true, items: 2, fault: null },
    ]);
  });

  test('keeps what came before it was cut', async () => {
    const good = JSON.stringify(reference('before the cut', [message('b', null, 'Before')]));
    const lines = await importFor(services, bob, `[${good},{"conversationId":"after`);
    expect(lines).toMatchObject([{ outcome: 'imported' }, { end: true, items: 1, fault: 'cut_off' }]);
  });
});

test('subscribers are told of each imported conversation once, with separate change numbers', async () => {
  const carol = await services.as('carol');
  const files = Array.from({ length: 120 }, (_, index) =>
    reference(`told ${index}`, [message('m', null, `Told ${index}`)]),
  );
  const end = new AbortController();
  const changes = services.deps.pubsub.subscribe(`change:${carol.id}`);
  let rings = 0;
  const listening = (async () => {
    while (!end.signal.aborted) {
      await changes.next(end.signal);
      if (!end.signal.aborted) rings += 1;
    }
  })();
  const items = await importAs(carol, files);
  end.abort();
  await listening;
  changes.end();
  expect(items.every(({ outcome }) => outcome === 'imported')).toBe(true);
  expect(rings).toBeLessThanOrEqual(3);
  const rows = await services.deps.db.sql`
    select count(distinct change_seq)::int as numbers, max(change_seq)::int as last, bool_and(messages_seq = change_seq) as same
    from convos where user_id = ${carol.id}`;
  expect(rows).toEqual([{ numbers: 120, last: 120, same: true }]);
});

type Item = ImportItem | undefined;

async function importAs(person: Person, file: unknown): Promise<ImportItem[]> {
  const lines = await importFor(services, person, file);
  expect(lines.at(-1)).toEqual({ end: true, items: lines.length - 1, fault: null });
  return lines.filter((line): line is ImportItem => 'index' in line);
}

function imported(item: Item) {
  if (!item || item.outcome === 'skipped') throw new Error(`Not imported: ${JSON.stringify(item)}`);
  const { index, title, conversationId } = item;
  return { index, title, conversationId };
}

async function readBack(person: Person, item: { conversationId: string } | Item) {
  const conversationId = item && 'conversationId' in item ? item.conversationId : '';
  const [convo, messages] = await Promise.all([
    person.api.convos.byId({ conversationId }),
    person.api.messages.list({ conversationId }),
  ]);
  return { convo, messages };
}

type Outline = [string, Outline[]];

/** The texts as they hang below each other. Only for shallow trees. */
function outline(messages: readonly Message[]): Outline[] {
  const { children } = buildTree(messages);
  const below = (id: string | null): Outline[] =>
    (children.get(id) ?? []).map((message) => [messageText(message), below(message.messageId)]);
  return below(null);
}
