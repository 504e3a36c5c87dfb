import { createMessageReader } from '@parley/server/providers/anthropic/deltas';
import { readFinishWord } from '@parley/server/providers/compatible/finish-words';
import { expect, it } from 'vitest';
import { ask, DONE, ended, said, eventStream } from './stranger.ts';

const after = eventStream(said('After it.'), ended()) + DONE;

it.each([
  ['a ping with empty data', 'event: ping\ndata:\n\n'],
  ['a ping with a space for data', 'event: ping\ndata: \n\n'],
  ['a ping without data', 'event: ping\n\n'],
  ['a ping with a word for data', 'event: heartbeat\ndata: ping\n\n'],
  ['empty data without a name', 'data:\n\n'],
  ['a comment', ': OPENROUTER PROCESSING\n\n'],
  ['a comment before a ping, with returns', ': hi\r\n\r\nevent: keep-alive\r\ndata:\r\n\r\n'],
  ['a ping with an id', 'event: ping\nid: 7\n\n'],
  ['a wait for the next try', 'retry: 3000\n\n'],
  ['null for data', 'data: null\n\n'],
  ['an event without choices', 'data: {"id":"x"}\n\n'],
  ['choices of null', 'data: {"choices":null}\n\n'],
  ['a choice without a delta', 'data: {"choices":[{"index":0,"delta":null}]}\n\n'],
])('%s does not end an answer', async (_, idle) => {
  for (const text of [idle + after, eventStream(said('Ä ')) + idle + after]) {
    const { text: heard, reason } = await ask(text);
    expect(heard.replace('Ä ', '')).toBe('After it.');
    expect(reason).toBeNull();
  }
});

it.each([
  ['length', 'length'],
  ['MAX_TOKENS', 'length'],
  ['max_tokens', 'length'],
  ['Max-Tokens', 'length'],
  ['maxTokens', 'length'],
  ['FINISH_REASON_MAX_TOKENS', 'length'],
  ['max_tokens_reached', 'length'],
  ['model_length', 'length'],
  ['MODEL_LENGTH', 'length'],
  ['length_exceeded', 'length'],
  ['stop', 'stop'],
  ['STOP', 'stop'],
  ['Stop', 'stop'],
  ['eos', 'stop'],
  ['eos_token', 'stop'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['COMPLETE', 'stop'],
  ['FINISH_REASON_STOP', 'stop'],
  ['content_filter', 'content_filter'],
  ['SAFETY', 'content_filter'],
  ['refusal', 'content_filter'],
  ['tool_use', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['TOOL_CALL', 'tool_calls'],
  ['error', null],
  ['ERROR', null],
  ['server_error', null],
  ['stop_error', null],
  ['MALFORMED_FUNCTION_CALL', null],
  ['insufficient_system_resource', null],
  ['network_error', null],
  ['incomplete', null],
  ['something_new', null],
])('the word %s ends an answer as %s', async (word, finish) => {
  expect(readFinishWord(word)).toBe(finish);
  const told = await ask(eventStream(said('Half an answer'), ended(word)) + DONE);
  expect(told).toMatchObject({ text: 'Half an answer', finish });
  if (finish === null) expect(told.reason).toEqual({ type: 'provider_broke_off' });
  else expect(told.reason).toBeNull();
});

it('an answer with text that ends with the mark and without a word is whole', async () => {
  expect(await ask(eventStream(said('Whole answer.')) + DONE)).toMatchObject({ finish: 'stop', reason: null });
  expect(await ask(`${eventStream(said('Whole answer.'))}data: [DONE]`)).toMatchObject({
    finish: 'stop',
    reason: null,
  });
  expect(await ask(`${eventStream(said('Whole answer.'))}data:[DONE]\r\n\r\n`)).toMatchObject({ finish: 'stop' });
  expect(await ask(eventStream({ choices: [{ text: 'Whole' }] }) + DONE, { model: 'davinci-002' })).toMatchObject({
    text: 'Whole',
    finish: 'stop',
  });
});

it('an answer without the mark or without text is not whole', async () => {
  expect(await ask(eventStream(said('Half'), said(' a [DONE]')))).toMatchObject({
    reason: { type: 'provider_broke_off' },
  });
  expect(await ask(DONE)).toMatchObject({ reason: { type: 'provider_broke_off' } });
});

it.each([
  ['reasoning beside an empty field', { reasoning_content: '', reasoning: 'Step one.' }],
  ['reasoning_content', { reasoning_content: 'Step one.', reasoning: null }],
  ['the same text in two fields', { reasoning: 'Step one.', reasoning_content: 'Step one.' }],
  ['details only', { reasoning_details: [{ type: 'reasoning.text', text: 'Step one.' }] }],
  [
    'details beside empty fields',
    { reasoning: '', reasoning_details: [{ type: 'reasoning.summary', summary: 'Step one.' }] },
  ],
])('reasoning is read from %s', async (_, delta) => {
  const text = eventStream({ choices: [{ index: 0, delta }] }, said('Nine.'), ended()) + DONE;
  expect(await ask(text)).toMatchObject({ reasoning: 'Step one.', text: 'Nine.', reason: null });
});

it('Anthropic’s blocks may begin with their text or their whole input', () => {
  const read = createMessageReader('claude', false);
  const events = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Starts. ' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Goes on.' } },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 't1', name: 'a', input: { x: 1 } },
    },
    { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 't2', name: 'b', input: {} } },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"y":2}' } },
  ];
  const deltas = events.flatMap((event) => [...read(event as never)]);
  expect(deltas).toMatchObject([
    { type: 'text', text: 'Starts. ' },
    { type: 'text', text: 'Goes on.' },
    { type: 'tool', call: { id: 't1', input: '{"x":1}' } },
    { type: 'tool', call: { id: 't2', input: '' } },
    { type: 'input', id: 't2', text: '{"y":2}' },
  ]);
});
