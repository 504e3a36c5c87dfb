// Every provider's report of a call, under its own names, is read into one record.
import { createMessageReader } from '@parley/server/providers/anthropic/deltas';
import { withCacheMarks } from '@parley/server/providers/anthropic/bodies';
import { createContentReader } from '@parley/server/providers/google/deltas';
import { metadataInEntry } from '@parley/server/providers/model-metadata';
import { createChatReader } from '@parley/server/providers/openai/deltas';
import { createResponseReader } from '@parley/server/providers/openai/responses-deltas';
import { describe, expect, it } from 'vitest';

const by = { endpointType: 'custom', model: 'a' } as const;
const usageIn = (deltas: Iterable<{ type: string }>) => [...deltas].filter(({ type }) => type === 'usage');
const fromChat = (usage: object) => usageIn(createChatReader(by, false)({ choices: [], usage: usage as never })).at(0);

describe('the usage that is read from', () => {
  it.each([
    [
      'OpenAI',
      {
        prompt_tokens: 2000,
        completion_tokens: 300,
        total_tokens: 2300,
        prompt_tokens_details: { cached_tokens: 1920 },
        completion_tokens_details: { reasoning_tokens: 192 },
      },
      { input: 2000, cachedRead: 1920, output: 300, reasoning: 192 },
    ],
    [
      'DeepSeek',
      { prompt_tokens: 90, completion_tokens: 5, prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 26 },
      { input: 90, cachedRead: 64, output: 5 },
    ],
    [
      'Moonshot',
      { prompt_tokens: 90, completion_tokens: 5, cached_tokens: 80 },
      { input: 90, cachedRead: 80, output: 5 },
    ],
    [
      'OpenRouter',
      {
        prompt_tokens: 900,
        completion_tokens: 5,
        prompt_tokens_details: { cached_tokens: 600, cache_write_tokens: 200 },
      },
      { input: 900, cachedRead: 600, cachedWrite: 200, output: 5 },
    ],
    [
      'xAI, which counts reasoning beside the completion',
      {
        prompt_tokens: 30,
        completion_tokens: 9,
        total_tokens: 139,
        completion_tokens_details: { reasoning_tokens: 100 },
      },
      { input: 30, output: 109, reasoning: 100 },
    ],
    [
      'a server that sends null for what it does not know',
      { prompt_tokens: 30, completion_tokens: 9, prompt_tokens_details: null, completion_tokens_details: null },
      { input: 30, output: 9 },
    ],
  ])('%s has its cached and reasoning tokens', (_who, told, read) => {
    expect(fromChat(told)).toEqual({ type: 'usage', ...read });
  });

  it('the Responses protocol has its cached and reasoning tokens', () => {
    const usage = {
      input_tokens: 2000,
      input_tokens_details: { cached_tokens: 1024 },
      output_tokens: 70,
      output_tokens_details: { reasoning_tokens: 64 },
    };
    const deltas = createResponseReader(by)({ type: 'response.completed', response: { usage } });
    expect(usageIn(deltas)).toEqual([{ type: 'usage', input: 2000, cachedRead: 1024, output: 70, reasoning: 64 }]);
  });

  it('Anthropic adds what was read from the cache and written to it to its input', () => {
    const read = createMessageReader('claude-sonnet-5', false);
    const usage = {
      input_tokens: 10,
      cache_read_input_tokens: 4000,
      cache_creation_input_tokens: 500,
      output_tokens: 1,
    };
    const prompt = { input: 4510, cachedRead: 4000, cachedWrite: 500 };
    const begun = read({ type: 'message_start', message: { usage } } as never);
    expect([...begun]).toEqual([{ type: 'usage', ...prompt, output: 0 }]);
    const ended = read({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { output_tokens: 42 },
    } as never);
    expect(usageIn(ended)).toEqual([{ type: 'usage', ...prompt, output: 42 }]);
  });

  it('Gemini adds its reasoning to what it said, and tells of the prompt at the beginning', () => {
    const reader = createContentReader({ target: { endpoint: 'google' } as never, model: 'gemini-2.5-pro' });
    const first = { usageMetadata: { promptTokenCount: 5000, cachedContentTokenCount: 4096 } };
    const prompt = { input: 5000, cachedRead: 4096 };
    expect(usageIn(reader.read(first))).toEqual([{ type: 'usage', ...prompt, output: 0 }]);
    const last = { usageMetadata: { ...first.usageMetadata, candidatesTokenCount: 20, thoughtsTokenCount: 300 } };
    expect(usageIn(reader.read(last))).toEqual([]);
    expect(usageIn(reader.end())).toEqual([{ type: 'usage', ...prompt, output: 320, reasoning: 300 }]);
  });
});

it('the prices that OpenRouter lists have those of its cache', () => {
  const pricing = {
    prompt: '0.000003',
    completion: '0.000015',
    input_cache_read: '0.0000003',
    input_cache_write: 'odd',
  };
  expect(metadataInEntry({ pricing }).rates).toEqual({ prompt: 3, completion: 15, cachedRead: 0.3 });
});

describe('the marks for the cache of Anthropic', () => {
  const long = 'A long text. '.repeat(400);
  const marksIn = (body: unknown) => JSON.stringify(body).split('"cache_control"').length - 1;
  const turn = (role: 'user' | 'assistant', content: string | object[]) => ({ role, content });

  it('are on the tools, the instructions and the last two turns of the user', () => {
    const messages = [
      turn('user', long),
      turn('assistant', 'Yes'),
      turn('user', 'And?'),
      turn('assistant', 'So'),
      turn('user', 'Then?'),
    ];
    const marked = withCacheMarks({ system: 'Be brief', tools: [{ name: 'a' }, { name: 'b' }], messages });
    expect(marksIn(marked)).toBe(4);
    expect([marked.system, marked.tools?.at(-1), marked.messages[2], marked.messages[4]].map(marksIn)).toEqual([
      1, 1, 1, 1,
    ]);
  });

  it('are never on reasoning or on an empty text', () => {
    const steps = [
      turn('user', long),
      turn('assistant', [{ type: 'thinking', thinking: 'So', signature: 's' }]),
      turn('user', [
        { type: 'tool_result', tool_use_id: 'a', content: 'A' },
        { type: 'text', text: '' },
      ]),
    ];
    const [, thought, results] = withCacheMarks({ messages: steps }).messages;
    expect(marksIn(thought)).toBe(0);
    expect(results?.content).toMatchObject([{ cache_control: { type: 'ephemeral' } }, { text: '' }]);
  });

  it('are not on a prompt that is too short to be cached', () => {
    const body = { system: 'Be brief', messages: [turn('user', 'Hello')] };
    expect(withCacheMarks(body)).toBe(body);
  });
});
