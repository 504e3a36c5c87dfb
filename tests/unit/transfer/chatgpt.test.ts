// What ChatGPT's export writes, in the shapes that docs/dev/chatgpt-spec.md of github.com/mohamed-chs/convoviz and
// github.com/Laumss/loominary/issues/17 describe.
import { messageText, type Attachment, type MessagePart } from '@parley/schema/messages/messages';
import { readConvo } from '@parley/server/transfer/detect-format';
import type { StoredLinks } from '@parley/server/transfer/stored-links';
import type { SourceConvo } from '@parley/server/transfer/source';
import { createSlices } from '@parley/server/platform/event-loop';
import { expect, test } from 'vitest';
import { chatGpt, says } from '../../integration/transfer/files.ts';

const cite = (...references: string[]) => `\uE200cite\uE202${references.join('\uE202')}\uE201`;
const kite: Attachment = { type: 'image', fileId: 'kept', path: '/images/a/kept.png', width: 2, height: 1 };

test('marks of private use stand in a text where its sources should', async () => {
  const mark = cite('turn0search3', 'turn0search8');
  const text = `Kites fly${mark}. \uE200entity\uE202["people","Ada Lovelace",0]\uE201 drew one.${cite('turn9view1')} End.`;
  const group = {
    type: 'grouped_webpages',
    matched_text: mark,
    start_idx: 9,
    end_idx: 40,
    alt: '([Kites](https://kites.example/a))',
    items: [
      {
        title: 'All about [kites]',
        url: 'https://kites.example/a_(b)',
        attribution: null,
        supporting_websites: [{ title: 'Wind', url: 'https://wind.example/' }],
      },
    ],
  };
  const footnote = {
    type: 'sources_footnote',
    matched_text: ' ',
    sources: [
      { title: 'Wind', url: 'https://wind.example/', attribution: 'Wind' },
      { title: 'The sea', url: 'https://sea.example/' },
    ],
  };
  expect(await textOfAnswer(text, { content_references: [group, footnote] })).toBe(
    'Kites fly ([All about \\[kites\\]](https://kites.example/a_%28b%29), [Wind](https://wind.example/)).' +
      ' Ada Lovelace drew one. End.\n\n- [The sea](https://sea.example/)',
  );
});

test('numbered marks of older exports have no link; brackets of other languages stay', async () => {
  const citation = {
    start_ix: 3,
    end_ix: 13,
    citation_format_type: 'tether_og',
    metadata: { type: 'webpage', title: 'Kites', url: 'https://kites.example/', extra: { cited_message_idx: 8 } },
  };
  expect(await textOfAnswer('So.【8†source】 【重要】 【9†source】', { citations: [citation] })).toBe(
    'So. ([Kites](https://kites.example/)) 【重要】 【9†source】',
  );
});

test('a mark without an end, and one of a file, leave no strange characters', async () => {
  const mark = '\uE200filecite\uE202turn0file0\uE201';
  const file = { type: 'file', matched_text: mark, name: 'plan.pdf' };
  expect(
    await textOfAnswer(`As planned ${mark}, \uE203so\uE204 \uE200cite\uE202turn0`, { content_references: [file] }),
  ).toBe('As planned (plan.pdf), so ');
});

test('images and attachments are named by numbers that nobody gave them', async () => {
  const content = {
    content_type: 'multimodal_text',
    parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-1' }, 'See?'],
  };
  const attachments = [
    { id: 'file-1', name: 'kite.png', mime_type: 'image/png' },
    { id: 'file-2', name: 'plan.pdf', mime_type: 'application/pdf' },
  ];
  const convo = await read(chatGpt('named', [['q', null, says('user', content, { metadata: { attachments } })]]));
  expect(convo.messages.map(messageText)).toEqual(['[image: kite.png]\nSee?\n[file: plan.pdf]']);
});

test('images whose bytes came along are lost, those that tools made included', async () => {
  const asset = (id: string) => ({ content_type: 'image_asset_pointer', asset_pointer: `sediment://${id}` });
  const images = (...parts: unknown[]) => ({ content_type: 'multimodal_text', parts });
  const nodes: Parameters<typeof chatGpt>[1] = [
    ['q', null, says('user', images(asset('file_1'), 'Draw this'))],
    ['call', 'q', says('assistant', { content_type: 'code', text: '{"n":1}' }, { recipient: 'dalle.text2im' })],
    ['made', 'call', says('tool', images(asset('file_2'), asset('file_3')))],
    ['q2', 'made', says('user', 'And another')],
    // Newer models make images without a call in words.
    ['made2', 'q2', says('tool', images(asset('file_2'), 'made'))],
    ['end', 'made2', says('assistant', 'There.')],
  ];
  const kept = (id: string) => (id === 'file_3' ? undefined : { ...kite, fileId: `kept ${id}` });
  const convo = await read(chatGpt('pictures', nodes), { file: kept, assistant: () => undefined });
  const call = { id: '', kind: 'function', name: 'dalle.text2im', input: '{"n":1}', progress: 1 };
  expect(convo.messages.map(({ parts }) => parts)).toEqual<MessagePart[][]>([
    [
      { type: 'text', text: 'Draw this' },
      { ...kite, fileId: 'kept file_1' },
    ],
    [
      {
        type: 'tool_call',
        call: {
          ...call,
          kind: 'function',
          output: '[image: sediment://file_3]',
          outputs: [{ ...kite, fileId: 'kept file_2' }],
        },
      },
    ],
    [{ type: 'text', text: 'And another' }],
    [
      { ...kite, fileId: 'kept file_2' },
      { type: 'text', text: 'There.' },
    ],
  ]);
});

test('nodes of unknown kinds are lost without a word', async () => {
  const convo = await read(
    chatGpt('strange', [
      ['q', null, says('user', 'Hello')],
      ['context', 'q', says('user', { content_type: 'user_editable_context', user_profile: 'secret' })],
      ['h1', 'context', says('assistant', { content_type: 'hologram', frames: [1] })],
      ['h2', 'h1', says('assistant', { content_type: 'hologram', frames: [2] })],
      ['worded', 'h2', says('assistant', { content_type: 'postcard', parts: ['Greetings'] })],
      ['critic', 'worded', says('critic', 'Hm')],
    ]),
  );
  expect(convo.messages.map(messageText)).toEqual(['Hello', 'Greetings']);
  expect(convo).toMatchObject({ dropped: 3, leftOut: { kinds: { hologram: 2, text: 1 } } });
});

test('pinned chats lose their pin', async () => {
  const one: Parameters<typeof chatGpt>[1] = [['q', null, says('user', 'Hello')]];
  const convos = [{ pinned_time: 1_700_000_000 }, { is_starred: true }, {}].map((over) => chatGpt('pin', one, over));
  const pins = await Promise.all(convos.map(async (convo) => (await read(convo)).isPinned));
  expect(pins).toEqual([true, true, false]);
});

async function textOfAnswer(text: string, metadata: object): Promise<string> {
  const convo = await read(chatGpt('cited', [['a', null, says('assistant', text, { metadata })]]));
  return convo.messages.map(messageText).join();
}

async function read(value: unknown, kept?: StoredLinks): Promise<SourceConvo> {
  const convo = await readConvo(value, createSlices(100), kept);
  if (!convo) throw new Error('Not read');
  return convo;
}
