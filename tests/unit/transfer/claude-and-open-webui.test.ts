import { messageText } from '@parley/schema/messages/messages';
import { readConvo } from '@parley/server/transfer/detect-format';
import type { SourceConvo } from '@parley/server/transfer/source';
import { createSlices } from '@parley/server/platform/event-loop';
import { describe, expect, test } from 'vitest';

describe("a chat of Claude's export", () => {
  const page = {
    type: 'knowledge',
    title: 'Kites',
    url: 'https://kites.example/',
    metadata: { type: 'webpage_metadata', site_domain: 'kites.example' },
    text: 'All about kites',
  };

  test('loses the addresses of web pages that it found and cites', async () => {
    const text = 'Kites 🪁 fly. They do.';
    const cited = (end_index: number, url: string) => ({
      start_index: 0,
      end_index,
      details: { type: 'web_search_citation', url },
    });
    const convo = await read(
      claude([
        { type: 'tool_use', id: 'a', name: 'web_search', input: { query: 'kites' } },
        { type: 'tool_use', id: 'b', name: 'image_search', input: {} },
        { type: 'tool_result', tool_use_id: 'a', name: 'web_search', content: [page] },
        {
          type: 'tool_result',
          tool_use_id: 'b',
          content: [
            {
              type: 'image_gallery',
              images: [{ title: 'Blue', url: 'https://i.example/1', page_url: 'https://i.example/' }],
            },
            { type: 'local_resource', file_path: '/mnt/plan.md', name: 'plan.md' },
          ],
        },
        {
          type: 'text',
          text,
          citations: [cited(12, page.url), cited(12, 'https://wind.example/a'), cited(99, page.url)],
        },
      ]),
    );
    const [message] = convo.messages;
    expect(message?.parts).toMatchObject([
      { type: 'tool_call', call: { name: 'web_search', output: 'Kites\nhttps://kites.example/\nAll about kites' } },
      { type: 'tool_call', call: { name: 'image_search', output: 'Blue\nhttps://i.example/\n[file: plan.md]' } },
      {
        type: 'text',
        text:
          'Kites 🪁 fly. ([Kites](https://kites.example/), [wind.example](https://wind.example/a))' +
          ' They do. ([Kites](https://kites.example/))',
      },
    ]);
  });

  test('keeps what is left of hidden reasoning, names a file once, and reports unknown blocks', async () => {
    const file = { file_name: 'note.txt', extracted_content: 'One' };
    const convo = await read(
      claude(
        [
          { type: 'thinking', thinking: '', thinking_hidden: true, summaries: [{ summary: 'Compared both.' }] },
          { type: 'token_budget' },
          { type: 'hologram' },
          { type: 'text', text: 'So.' },
        ],
        { attachments: [file], files: [{ file_name: 'note.txt' }, { file_name: 'photo.png' }] },
      ),
    );
    expect(convo.messages[0]?.parts[0]).toEqual({ type: 'reasoning', text: 'Compared both.' });
    expect(convo.messages.map(messageText)).toEqual(['So.\n[file: note.txt]\n> One\n[file: photo.png]']);
    expect(convo).toMatchObject({ dropped: 1, leftOut: { kinds: { hologram: 1 } } });
  });
});

describe("a chat of Open WebUI's export", () => {
  const escaped = '{&quot;q&quot;: &quot;a &lt;b&gt; &amp; c&quot;}';
  const said = (content: string) => ({
    history: { currentId: 'a', messages: { a: { id: 'a', parentId: null, role: 'assistant', content } } },
  });

  test('shows the HTML of calls of tools', async () => {
    const call =
      `<details type="tool_calls" done="true" id="c1" name="search" arguments="&quot;{\\&quot;q\\&quot;: 1}&quot;" ` +
      `result="${escaped}" files="" embeds="">\n<summary>Tool Executed</summary>\n</details>\n`;
    const code =
      '<details type="code_interpreter" done="true" output="{&quot;stdout&quot;: &quot;42&quot;, &quot;result&quot;: null}">\n' +
      '<summary>Analyzed</summary>\n```python\nprint(42)\n```\n</details>\n';
    const reasoning =
      '<details type="reasoning" done="true" duration="1">\n<summary>Thought</summary>\n&gt; Hm\n</details>\n';
    const own = '<details type="mine"><summary>Mine</summary>Stays</details>';
    const newest =
      '<details type="tool_calls" done="true" id="c2" name="sum" arguments="">\n<summary>Tool</summary>\n4 &lt; 5\n</details>';
    const convo = await read(openWebUi(said(`Before\n${call}${reasoning}${code}Between ${own}\n${newest}`)));
    expect(convo.messages[0]?.parts).toEqual([
      { type: 'text', text: 'Before\n' },
      { type: 'tool_call', call: made('c1', 'search', '{"q": 1}', '{"q": "a <b> & c"}') },
      { type: 'reasoning', text: 'Hm' },
      {
        type: 'tool_call',
        call: { ...made('', 'code_interpreter', 'print(42)', '42'), kind: 'code_interpreter' },
      },
      { type: 'text', text: `Between ${own}\n` },
      { type: 'tool_call', call: made('c2', 'sum', '', '4 < 5') },
    ]);
  });

  test('an older one without a tree is skipped', async () => {
    const messages = [
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: 'So.', model: 'llama2' },
    ];
    const convo = await read(openWebUi({ messages }));
    expect(convo.messages.map(({ id, parentId, parts }) => [id, parentId, messageText({ parts })])).toEqual([
      ['1', null, 'Why?'],
      ['2', '1', 'So.'],
    ]);
    expect(convo.settings).toEqual({ promptPrefix: 'Be brief' });
  });

  test('loses its system prompt, its pin and its tags', async () => {
    const chat = { ...said('Hello'), params: { system: 'Be kind', temperature: 1 }, tags: ['boats'] };
    const convo = await read(openWebUi(chat, { pinned: true, meta: { tags: ['boats', 'sea'] } }));
    expect(convo).toMatchObject({
      settings: { promptPrefix: 'Be kind' },
      isPinned: true,
      dropped: 0,
      leftOut: { tags: ['boats', 'sea'] },
    });
  });

  test('loses instructions that are too long without a word', async () => {
    const convo = await read(openWebUi({ ...said('Hello'), system: 'x'.repeat(40_000) }));
    expect(convo).toMatchObject({ settings: {}, leftOut: { kinds: { system: 1 } } });
  });

  function made(id: string, name: string, input: string, output: string) {
    return { id, kind: 'function', name, input, output, progress: 1 };
  }
});

function claude(content: object[], over: object = {}) {
  const time = '2025-07-01T10:00:00.000000Z';
  const message = { uuid: 'm', sender: 'assistant', text: '', content, created_at: time, updated_at: time, ...over };
  return { uuid: 'c', name: 'Kites', created_at: time, updated_at: time, chat_messages: [message] };
}

function openWebUi(chat: object, over: object = {}) {
  return { id: 'c', title: 'Kites', chat: { models: ['llama3'], ...chat }, created_at: 1, updated_at: 2, ...over };
}

async function read(value: unknown): Promise<SourceConvo> {
  const convo = await readConvo(value, createSlices(100));
  if (!convo) throw new Error('Not read');
  return convo;
}
