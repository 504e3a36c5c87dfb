// What of an answer is no text: pictures, pages, speech.
import { listPages } from '../../../../web/src/files/citations/web-sources.ts';
import { createMessageReader } from '@parley/server/providers/anthropic/deltas';
import { streamCohere } from '@parley/server/providers/cohere/stream';
import type { AnswerPicture, ProviderCall } from '@parley/server/providers/provider';
import { createContentReader } from '@parley/server/providers/google/deltas';
import { createResponseReader } from '@parley/server/providers/openai/responses-deltas';
import { describe, expect, it } from 'vitest';
import answers from '../../../fixtures/loose-answers.json' with { type: 'json' };
import { ask, DONE, ended, said, eventStream } from './stranger.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const URL = `data:image/png;base64,${PNG}`;

const delta = (more: object) => ({ choices: [{ index: 0, delta: more, finish_reason: null }] });

/** Asks, and returns what was kept of the answer. */
async function asked(answer: string) {
  const pictures: AnswerPicture[] = [];
  const told = await ask(answer, {
    keepPicture: async (picture) => {
      pictures.push(picture);
      return { type: 'made', part: { type: 'image', fileId: 'f', path: '/f', width: 1, height: 1 } };
    },
  });
  return { ...told, pictures };
}

describe('a picture of an answer', () => {
  it.each<[string, object]>([
    ['images beside the text', { images: [{ type: 'image_url', image_url: { url: URL } }] }],
    ['images as texts', { images: [URL] }],
    ['images in base64', { images: [{ b64_json: PNG }] }],
    ['a part image_url', { content: [{ type: 'image_url', image_url: { url: URL } }] }],
    ['a part image_url that is a text', { content: [{ type: 'image_url', image_url: URL }] }],
    ['a part image', { content: [{ type: 'image', image: { data: PNG, mime_type: 'image/png' } }] }],
    ['a part image with a source', { content: [{ type: 'image', source: { data: PNG, media_type: 'image/png' } }] }],
    ['a part output_image', { content: [{ type: 'output_image', image_url: URL }] }],
    ['Markdown', { content: `![image](${URL})` }],
    ['inline data', { content: [{ inlineData: { mimeType: 'image/png', data: PNG } }] }],
    ['inline data in snake case', { content: [{ inline_data: { mime_type: 'image/png', data: PNG } }] }],
  ])('is kept, in the place where it stands: %s', async (_, piece) => {
    const told = await asked(eventStream(said('Here: '), delta(piece), delta(piece), said('So.'), ended()) + DONE);
    expect(told.pictures).toEqual([{ mime: 'image/png', data: PNG }]);
    expect(told.parts.map(({ type }) => type)).toEqual(['text', 'image', 'text']);
    expect(told).toMatchObject({ text: 'Here: So.', finish: 'stop', reason: null });
  });

  it('is an answer without words', async () => {
    const told = await asked(answers['a picture'].replace('@PNG@', PNG));
    expect(told).toMatchObject({ reason: null, finish: 'stop', parts: [{ type: 'image' }] });
    const whole = { choices: [{ message: { content: null, images: [{ image_url: { url: URL } }] } }] };
    expect((await asked(eventStream(whole) + DONE)).parts).toMatchObject([{ type: 'image' }]);
  });

  it('is a link when it has an address, and nothing when it is not a picture', async () => {
    const link = { images: [{ image_url: { url: 'https://example.org/a(1).png' } }] };
    const told = await asked(eventStream(said('See'), delta(link), ended()) + DONE);
    expect(told.text).toContain('](https://example.org/a%281%29.png)');
    for (const images of [
      [null, 7, {}, { image_url: 'x' }, { inlineData: { mimeType: 'text/plain', data: PNG } }],
      'no',
    ])
      expect((await asked(eventStream(said('Yes.'), delta({ images }), ended()) + DONE)).pictures).toEqual([]);
  });

  it('is found for Gemini and the Responses protocol', () => {
    const gemini = createContentReader({ target: { endpoint: 'google' } as never, model: 'gemini' });
    const parts = [{ text: 'Here' }, { inlineData: { mimeType: 'image/jpeg', data: PNG } }];
    expect([...gemini.read({ candidates: [{ content: { parts } }] })]).toEqual([
      { type: 'text', text: 'Here' },
      { type: 'picture', picture: { mime: 'image/jpeg', data: PNG } },
    ]);
    const read = createResponseReader({ endpointType: 'openAI', model: 'gpt-5' });
    const item = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: PNG };
    expect([...read({ type: 'response.output_item.done', output_index: 0, item })]).toEqual([
      { type: 'picture', picture: { mime: 'image/png', data: PNG } },
    ]);
  });
});

it('speech is told by its words', async () => {
  const speech = [delta({ audio: { id: 'a', data: PNG } }), delta({ audio: { transcript: 'Good day.' } })];
  expect(await asked(eventStream(...speech, ended()) + DONE)).toMatchObject({ text: 'Good day.', reason: null });
});

describe('the pages that an answer stands on', () => {
  const [a, b] = ['https://example.org/a', 'https://example.org/b'];
  const cites = (url: string, title: string) => ({ type: 'url_citation', url_citation: { url, title } });
  const pagesOf = async (...chunks: object[]) => {
    const { parts, reason } = await asked(eventStream(...chunks, ended()) + DONE);
    expect(reason).toBeNull();
    return listPages({ parts }).map(({ source, marks }) => [source.title, source.url, ...marks]);
  };

  it.each<[string, object[], string[][]]>([
    [
      'a list of addresses',
      [{ ...said('Yes[2].'), citations: [a, b] }],
      [
        ['', b, '[2]'],
        ['', a],
      ],
    ],
    [
      'a list that comes again with each piece',
      [
        { ...said('Yes[1]'), citations: [a] },
        { ...said('[2]'), citations: [a, b] },
        { ...said('.'), citations: [a, b] },
      ],
      [
        ['', a, '[1]'],
        ['', b, '[2]'],
      ],
    ],
    [
      'a list and annotations of its titles',
      [{ ...said('Yes[2].'), citations: [a, b] }, delta({ annotations: [cites(b, 'B')] })],
      [
        ['B', b, '[2]'],
        ['', a],
      ],
    ],
    [
      'annotations',
      [said('Yes[1][2].'), delta({ annotations: [cites(a, 'A')] }), delta({ annotations: [cites(b, 'B')] })],
      [
        ['A', a, '[1]'],
        ['B', b, '[2]'],
      ],
    ],
    [
      'results of a search',
      [{ ...said('Yes[1].'), citations: [a], search_results: [{ title: 'A', url: a, snippet: 'Q' }] }],
      [['A', a, '[1]']],
    ],
    [
      'what Google has found',
      [
        said('Yes.'),
        { ...delta({}), vertex_ai_grounding_metadata: [{ groundingChunks: [{ web: { uri: a, title: 'A' } }] }] },
      ],
      [['A', a]],
    ],
    ['no page', [said('Yes[1].'), { ...delta({ annotations: [{ type: 'file_citation' }] }), citations: [1, 'x'] }], []],
    ['an address that is no page', [{ ...said('Yes[1].'), citations: ['javascript:alert(1)', 'data:,x'] }], []],
  ])('are its sources: %s', async (_, chunks, pages) => {
    expect(await pagesOf(...chunks)).toEqual(pages);
  });

  it('are there where it breaks off, and after reasoning without its opening tag', async () => {
    const broken = await asked(eventStream({ ...said('Yes[1]'), citations: [a] }));
    expect(broken.reason).toMatchObject({ type: 'provider_broke_off' });
    expect(listPages(broken)).toHaveLength(1);
    const thought = await asked(
      eventStream({ ...said('Hm.'), citations: [a] }, said('</think>Yes[1].'), ended()) + DONE,
    );
    expect(thought).toMatchObject({ reasoning: 'Hm.', text: 'Yes[1].' });
    expect(listPages(thought)).toMatchObject([{ marks: ['[1]'] }]);
  });

  it('are told of Gemini and of the Responses protocol', () => {
    const gemini = createContentReader({ target: { endpoint: 'google' } as never, model: 'gemini' });
    const groundingMetadata = { groundingChunks: [{ web: { uri: a, title: 'A' } }] };
    expect([...gemini.read({ candidates: [{ groundingMetadata }] }), ...gemini.end()]).toMatchObject([
      { type: 'tool', call: { output: `[1] A\n${a}` } },
    ]);
  });

  it('are told of Claude, whose search names pages and whose words cite some of them', () => {
    const read = createMessageReader('claude-sonnet-5', false);
    const page = (url: string, title: string) => ({ type: 'web_search_result', url, title, encrypted_content: 'x' });
    const cited = { type: 'web_search_result_location', url: a, title: 'A', cited_text: 'Q', encrypted_index: 'x' };
    const events = [
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'server_tool_use', id: 's', name: 'web_search' },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"query":"x"}' } },
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'web_search_tool_result', tool_use_id: 's', content: [page(a, 'A'), page(b, 'B')] },
      },
      { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '', citations: [] } },
      { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'Yes.' } },
      { type: 'content_block_delta', index: 2, delta: { type: 'citations_delta', citation: cited } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: null },
    ];
    expect(events.flatMap((event) => [...read(event as never)])).toMatchObject([
      { type: 'text', text: 'Yes.' },
      { type: 'tool', call: { output: `[1] A\n${a}\nQ\n\n[2] B\n${b}` } },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  it('are told of Cohere, where the configuration asks it to search', async () => {
    const lines = [
      { event_type: 'search-results', documents: [{ id: 'web_0', title: 'A', url: a, snippet: 'Q' }] },
      { event_type: 'text-generation', text: 'Yes.' },
      { event_type: 'citation-generation', citations: [{ start: 0, end: 3, text: 'Yes', document_ids: ['web_0'] }] },
      { event_type: 'stream-end', finish_reason: 'COMPLETE' },
    ];
    const target = {
      endpoint: 'cohere',
      baseURL: 'https://cohere.example/v1',
      apiKey: 'k',
      headers: {},
      addParams: { connectors: [{ id: 'web-search' }] },
      dropParams: [],
      fetch: async () => new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    };
    const call: ProviderCall = {
      target,
      model: 'command-r',
      settings: {},
      messages: [{ role: 'user', content: 'Is it?' }],
      userId: 'alice',
    };
    const deltas = [];
    for await (const one of streamCohere(call, AbortSignal.timeout(60_000))) deltas.push(one);
    expect(deltas).toMatchObject([
      { type: 'text', text: 'Yes.' },
      { type: 'tool', call: { output: `[1] A\n${a}\nQ` } },
      { type: 'finish', reason: 'stop' },
    ]);
  });
});
