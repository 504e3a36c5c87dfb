// Tools as each protocol documents them, and the servers that deviate. What all have in common is in the contract.
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { textSteps, scriptedStream, type Step, type SentStep } from '@parley/scripts/fake-provider/scenario';
import type { Settings } from '@parley/schema/catalog/params';
import type { ChatMessage, FinishedCall } from '@parley/server/providers/provider';
import type { ToolSpec } from '@parley/server/providers/tool-spec';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hear, openEndpoints, type Heard, type Setup } from '../../support/endpoints.ts';
import { writeServiceKey } from '../../support/service-key.ts';

let provider: FakeProvider;

beforeAll(async () => {
  provider = await startFakeProvider();
});
beforeEach(() => provider.clear());
afterAll(() => provider.close());

const parameters = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };
const tools: ToolSpec[] = [{ name: 'plot', description: 'Draws.', parameters }];
const question: ChatMessage = { role: 'user', content: 'call plot {"input":"1"}\n[[tool-steps]]' };
const image = { mime: 'image/png', data: 'AAAA', detail: 'low' as const };

function step(signatures: string[], ...calls: Partial<FinishedCall>[]): ChatMessage {
  const made = calls.map((call, n) => ({
    id: `0:${n}`,
    name: 'plot',
    input: '{"input":"1"}',
    output: 'Drawn.',
    isError: false,
    ...call,
  }));
  return { role: 'assistant', content: '', calls: made, signatures };
}

interface Asked {
  endpoint: string;
  model: string;
  messages: ChatMessage[];
  settings?: Settings;
  toolChoice?: 'none';
}

async function ask(setup: Setup, asked: Asked): Promise<Heard> {
  return hear(await openEndpoints(setup), { tools, ...asked });
}

/** The body of the last request; its answer must have been a good one. */
async function bodyOf(setup: Setup, asked: Asked): Promise<unknown> {
  expect((await ask(setup, asked)).reason).toBeNull();
  return provider.requests.findLast(({ path }) => path !== '/token')?.body;
}

function script(steps: Step[], finish: 'stop' | 'tool_calls' = 'tool_calls'): ChatMessage {
  provider.script('scripted', { about: 'the steps of this test', script: () => scriptedStream(steps, { finish }) });
  return { role: 'user', content: '[[scripted]]' };
}

function custom(name = 'Mine'): Setup {
  return {
    yaml: `endpoints:\n  custom:\n    - { name: ${name}, apiKey: k, baseURL: ${provider.url}/v1, models: { default: [one] } }\n`,
  };
}

const failed = { output: 'No.', isError: true };
const seen = { images: [image] };

describe('chat completions', () => {
  const asked = { endpoint: 'Mine', model: 'one' };

  it('has calls in a message, each result in one, and the images of results in one of the user', async () => {
    const messages = [question, step([], seen, failed)];
    const settings = { promptPrefix: 'Be brief.' };
    expect(await bodyOf(custom(), { ...asked, messages, settings, toolChoice: 'none' })).toEqual({
      model: 'one',
      messages: [
        { role: 'system', content: 'Instructions:\nBe brief.' },
        question,
        {
          role: 'assistant',
          content: null,
          tool_calls: ['call00001', 'call00002'].map((id) => ({
            id,
            type: 'function',
            function: { name: 'plot', arguments: '{"input":"1"}' },
          })),
        },
        { role: 'tool', tool_call_id: 'call00001', content: 'Drawn.' },
        { role: 'tool', tool_call_id: 'call00002', content: 'No.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Made by plot:' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
          ],
        },
      ],
      tools: [{ type: 'function', function: tools[0] }],
      tool_choice: 'none',
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('has images in the result for providers that accept no question after it', async () => {
    const mistral = { endpoint: 'Mistral', model: 'one', messages: [question, step([], seen)] };
    const body = await bodyOf(custom('Mistral'), mistral);
    expect(body).toMatchObject({
      messages: [
        {},
        { tool_calls: [{ id: expect.stringMatching(/^[A-Za-z0-9]{9}$/) }] },
        { role: 'tool', content: [{ type: 'text', text: 'Drawn.' }, { type: 'image_url' }] },
      ],
    });
  });

  it('replaces arguments that are no object', async () => {
    const messages = [question, step([], { input: '{"input":' })];
    expect(await bodyOf(custom(), { ...asked, messages })).toMatchObject({
      messages: [{}, { tool_calls: [{ function: { arguments: '{}' } }] }, {}],
    });
  });

  it('asks once more without reasoning where a model takes tools only so', async () => {
    const messages = [{ role: 'user' as const, content: 'call plot {"input":"1"} [[tool-steps]]' }];
    const heard = await ask(custom(), { endpoint: 'Mine', model: 'gpt-5.4', messages, settings: {} });
    expect(heard).toMatchObject({ finish: 'tool_calls', reason: null });
    expect(provider.requests.map(({ body }) => body)).toEqual([
      expect.not.objectContaining({ reasoning_effort: expect.anything() }),
      expect.objectContaining({ reasoning_effort: 'none', tools: expect.anything() }),
    ]);
  });

  it.each<[string, object[]]>([
    [
      'gives no ids',
      [
        { index: 0, ...made('plot', '{"a":') },
        { index: 0, ...made(undefined, '1}') },
        { index: 1, ...made('plot', '{}') },
      ],
    ],
    ['gives neither ids nor indices', [made('plot', '{"a":1}'), made('plot', '{}')]],
    [
      'gives the same index to all',
      [
        { index: 0, id: 'a', ...made('plot', '{"a":1}') },
        { index: 0, id: 'b', ...made('plot', '{}') },
      ],
    ],
    [
      'gives the same id to all',
      [
        { index: 0, id: 'a', ...made('plot', '{"a":1}') },
        { index: 1, id: 'a', ...made('plot', '{}') },
      ],
    ],
    [
      'repeats id and name',
      [
        { index: 0, id: 'a', ...made('plot', '{"a"') },
        { index: 0, id: 'a', ...made('plot', ':1}') },
        { index: 1, id: 'b', ...made('plot', '{}') },
      ],
    ],
    [
      'gives the name later',
      [
        { index: 0, id: 'a' },
        { index: 0, ...made('plot', '{"a":1}') },
        { index: 1, id: 'b', ...made('plot', '{}') },
      ],
    ],
    [
      'gives arguments as an object',
      [
        { index: 0, id: 'a', ...made('plot', { a: 1 }) },
        { index: 1, id: 'b', ...made('plot', {}) },
      ],
    ],
    [
      'sends empty pieces',
      [
        { index: 5 },
        { index: 0, id: 'a', ...made('plot', '{"a":1}') },
        { index: 0, ...made(null, null) },
        { index: 1, id: 'b', ...made('plot', '{}') },
      ],
    ],
  ])('reads the calls of a server that %s', async (_, pieces) => {
    const heard = await ask(custom(), {
      ...asked,
      messages: [
        script(
          pieces.map((piece) => chunk({ tool_calls: [piece] })),
          'stop',
        ),
      ],
    });
    const calls = [...heard.tools.values()].map(({ name, input }) => [name, JSON.parse(input)]);
    expect(calls).toEqual([
      ['plot', { a: 1 }],
      ['plot', {}],
    ]);
    // Whatever word the server ends with.
    expect(heard.finish).toBe('tool_calls');
  });

  it('gives reasoning back where they come as DeepSeek sends them', async () => {
    const reasoningText = ['Let', ' me see.'].map((text) => chunk({ reasoning_content: text }));
    const call = chunk({ tool_calls: [{ index: 0, id: 'a', ...made('plot', '{}') }] });
    const heard = await ask(custom(), { ...asked, messages: [script([...reasoningText, call])] });
    expect(heard).toMatchObject({ reasoning: 'Let me see.', signatures: [{ endpointType: 'custom', model: 'one' }] });
    const messages = [question, step(dataOf(heard), {})];
    expect(await bodyOf(custom(), { ...asked, messages })).toMatchObject({
      messages: [{}, { reasoning_content: 'Let me see.' }, {}],
    });
  });

  it('gives reasoning back as OpenRouter lists them, pieces of one joined', async () => {
    const first = { type: 'reasoning.text', text: 'Let', format: 'x-v1', index: 0 };
    const details = [
      [first],
      [{ ...first, text: ' me.', signature: 'c2ln' }],
      [{ type: 'reasoning.encrypted', data: 'ZW5j', index: 1 }],
    ];
    const call = chunk({ tool_calls: [{ index: 0, id: 'a', ...made('plot', '{}') }] });
    const steps = details.map((list) => chunk({ reasoning_details: list }));
    const late = chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'bGF0ZQ==', index: 2 }] });
    const heard = await ask(custom(), { ...asked, messages: [script([...steps, call, late])] });
    const messages = [question, step(dataOf(heard), {})];
    expect(await bodyOf(custom(), { ...asked, messages })).toMatchObject({
      messages: [
        {},
        {
          reasoning_details: [
            { type: 'reasoning.text', text: 'Let me.', format: 'x-v1', index: 0, signature: 'c2ln' },
            { type: 'reasoning.encrypted', data: 'ZW5j', index: 1 },
            { type: 'reasoning.encrypted', data: 'bGF0ZQ==', index: 2 },
          ],
        },
        {},
      ],
    });
  });

  it('gives signatures of Google back with their calls', async () => {
    const extra_content = { google: { thought_signature: 'c2ln' } };
    const call = chunk({ tool_calls: [{ index: 0, id: 'a', ...made('plot', '{}'), extra_content }] });
    const heard = await ask(custom(), { ...asked, messages: [script([call])] });
    const [signed] = heard.tools.values();
    const messages = [question, step([], { ...(signed?.seal && { signature: signed.seal.data }) })];
    expect(await bodyOf(custom(), { ...asked, messages })).toMatchObject({
      messages: [{}, { tool_calls: [{ extra_content }] }, {}],
    });
  });

  it('signs nothing where no tools are offered', async () => {
    const endpoints = await openEndpoints(custom());
    const messages = [script([chunk({ reasoning_content: 'Hm.' }), ...textSteps('Yes.')], 'stop')];
    expect(await hear(endpoints, { ...asked, messages })).toMatchObject({
      reasoning: 'Hm.',
      text: 'Yes.',
      signatures: [],
    });
  });

  function made(name: unknown, args: unknown): object {
    return { type: 'function', function: { name, arguments: args } };
  }

  function chunk(delta: object): SentStep {
    return { type: 'raw', bytes: `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n` };
  }
});

describe('Responses', () => {
  const setup = () => ({
    env: { OPENAI_API_KEY: 'sk-1', OPENAI_REVERSE_PROXY: `${provider.url}/v1`, OPENAI_RESPONSES: 'true' },
  });
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ZW5j' };

  it('has reasoning, calls and results as items, and images in results', async () => {
    const messages = [question, step([JSON.stringify(reasoning)], seen, failed)];
    const asked = { endpoint: 'openAI', model: 'gpt-5', messages, settings: { promptPrefix: 'Be brief.' } };
    expect(await bodyOf(setup(), { ...asked, toolChoice: 'none' })).toEqual({
      model: 'gpt-5',
      input: [
        { role: 'system', content: 'Instructions:\nBe brief.' },
        question,
        reasoning,
        { type: 'function_call', call_id: 'call00001', name: 'plot', arguments: '{"input":"1"}' },
        { type: 'function_call', call_id: 'call00002', name: 'plot', arguments: '{"input":"1"}' },
        {
          type: 'function_call_output',
          call_id: 'call00001',
          output: [
            { type: 'input_text', text: 'Drawn.' },
            { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' },
          ],
        },
        { type: 'function_call_output', call_id: 'call00002', output: 'No.' },
      ],
      stream: true,
      store: false,
      user: 'alice',
      reasoning: { summary: 'auto' },
      tools: [{ type: 'function', ...tools[0], strict: false }],
      tool_choice: 'none',
      include: ['reasoning.encrypted_content'],
    });
  });

  it('asks models that do not think for no reasoning', async () => {
    const body = await bodyOf(setup(), { endpoint: 'openAI', model: 'gpt-4', messages: [question] });
    expect(body).toMatchObject({ tools: [{ strict: false }] });
    expect(body).not.toHaveProperty('include');
  });

  it('reads calls whose arguments come only with the whole item', async () => {
    const item = { type: 'function_call', call_id: 'a', name: 'plot', arguments: '' };
    const steps = [
      event('response.output_item.added', { output_index: 0, item }),
      event('response.output_item.done', { output_index: 0, item: { ...item, arguments: '{"a":1}' } }),
    ];
    const heard = await ask(setup(), { endpoint: 'openAI', model: 'gpt-5', messages: [script(steps)] });
    expect([...heard.tools.values()]).toMatchObject([{ id: 'a', name: 'plot', input: '{"a":1}' }]);
    expect(heard.finish).toBe('tool_calls');
  });

  it('leaves out signatures that are none', async () => {
    const signatures = ['{', '1', '[null]', '{"type":"message","role":"system"}', JSON.stringify(reasoning)];
    const asked = { endpoint: 'openAI', model: 'gpt-5', messages: [question, step(signatures, {})] };
    expect(await bodyOf(setup(), asked)).toMatchObject({
      input: [question, reasoning, { type: 'function_call' }, { type: 'function_call_output' }],
    });
  });

  it('is used for tools where a target says so, and only for them', async () => {
    const endpoints = await openEndpoints(custom());
    const endpoint = endpoints.assert('Mine');
    const target = {
      ...(await endpoint.target('alice', 'gpt-5.4')),
      responsesForTools: { baseURL: `${provider.url}/v1`, model: 'gpt-5.4' },
    };
    const call = { target, model: 'gpt-5.4', settings: {}, messages: [question], userId: 'alice' };
    for (const more of [{ tools }, { tools: [] }, { messages: [question, step([], {})] }, {}])
      for await (const _ of endpoint.provider({ ...call, ...more }, AbortSignal.timeout(30_000)));
    const [chat, responses] = ['/v1/chat/completions', '/v1/responses'];
    expect(provider.requests.map(({ path }) => path)).toEqual([responses, chat, responses, chat]);
  });

  const azure = { AZURE_API_KEY: 'k', AZURE_OPENAI_API_INSTANCE_NAME: 'i', AZURE_OPENAI_API_VERSION: '2024-10-21' };
  const deployment = { ...azure, AZURE_OPENAI_API_DEPLOYMENT_NAME: 'my-dep' };
  const key = { OPENAI_API_KEY: 'sk-1' };

  it.each([
    ['openAI', 'gpt-5', key, { baseURL: 'https://api.openai.com/v1', model: 'gpt-5' }],
    ['openAI', 'gpt-4o', key, undefined],
    ['openAI', 'gpt-5', { ...key, OPENAI_REVERSE_PROXY: 'https://relay.example/v1' }, undefined],
    ['azureOpenAI', 'gpt-5', deployment, { baseURL: 'https://i.openai.azure.com/openai/v1', model: 'my-dep' }],
    ['azureOpenAI', 'gpt-4o', deployment, undefined],
    [
      'azureOpenAI',
      'gpt-5',
      { ...deployment, AZURE_OPENAI_BASEURL: 'https://gateway.example/openai/deployments/${DEPLOYMENT_NAME}' },
      undefined,
    ],
  ])('is used for tools by %s for %s with %o: %o', async (name, model, env, expected) => {
    const endpoints = await openEndpoints({ env: { ...env } });
    expect((await endpoints.assert(name).target('alice', model)).responsesForTools).toEqual(expected);
  });

  function event(type: string, data: object): SentStep {
    return { type: 'raw', bytes: `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n` };
  }
});

describe('Anthropic', () => {
  const setup = () => ({ env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_REVERSE_PROXY: provider.url } });
  const thought = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' };
  const hidden = { type: 'redacted_thinking', data: 'ZW5j' };
  const budget = { model: 'claude-sonnet-4-5', settings: { thinking: true, thinkingBudget: 2000 } };

  it('has reasoning before calls, and all results of a step in one turn', async () => {
    const messages = [question, step([JSON.stringify([thought, hidden])], seen, failed)];
    const asked = { endpoint: 'anthropic', model: 'claude-sonnet-5', messages };
    expect(await bodyOf(setup(), { ...asked, toolChoice: 'none' })).toMatchObject({
      messages: [
        question,
        {
          role: 'assistant',
          content: [
            thought,
            hidden,
            { type: 'tool_use', id: 'call00001', name: 'plot', input: { input: '1' } },
            { type: 'tool_use', id: 'call00002', name: 'plot', input: { input: '1' } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'call00001',
              content: [
                { type: 'text', text: 'Drawn.' },
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
              ],
            },
            { type: 'tool_result', tool_use_id: 'call00002', content: 'No.', is_error: true },
          ],
        },
      ],
      tools: [{ name: 'plot', description: 'Draws.', input_schema: parameters }],
      tool_choice: { type: 'none' },
    });
  });

  it('tells the blocks of reasoning that follow each other as one signature, unchanged', async () => {
    const blocks = [
      block(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'H' }),
      delta(0, { type: 'thinking_delta', thinking: 'm.' }),
      delta(0, { type: 'signature_delta', signature: 'c2ln' }),
      block(1, hidden),
      block(2, { type: 'tool_use', id: 'toolu_1', name: 'plot', input: {} }),
    ];
    const asked = { endpoint: 'anthropic', model: 'claude-sonnet-5' };
    const heard = await ask(setup(), { ...asked, messages: [script(blocks)] });
    expect(dataOf(heard).map((data) => JSON.parse(data))).toEqual([[thought, hidden]]);
  });

  it('thinks with a budget only where its earlier reasoning can be shown', async () => {
    const first = await ask(setup(), { endpoint: 'anthropic', ...budget, messages: [signedQuestion] });
    expect(first.signatures).toHaveLength(1);
    const signed = [signedQuestion, step(dataOf(first), {})];
    expect(await bodyOf(setup(), { endpoint: 'anthropic', ...budget, messages: signed })).toHaveProperty('thinking');
    const bare = [question, step([], {})];
    expect(await bodyOf(setup(), { endpoint: 'anthropic', ...budget, messages: bare })).not.toHaveProperty('thinking');
  });

  it('names the tools of earlier calls where none are offered', async () => {
    const endpoints = await openEndpoints(setup());
    const messages = [question, step([], {})];
    await hear(endpoints, { endpoint: 'anthropic', model: 'claude-sonnet-5', messages });
    expect(provider.requests[0]?.body).toMatchObject({ tools: [{ name: 'plot' }], tool_choice: { type: 'none' } });
  });

  const signedQuestion: ChatMessage = { role: 'user', content: 'call plot {"input":"1"} [[tool-signed]]' };

  function block(index: number, content_block: object): SentStep {
    return event('content_block_start', { index, content_block });
  }

  function delta(index: number, change: object): SentStep {
    return event('content_block_delta', { index, delta: change });
  }

  function event(type: string, data: object): SentStep {
    return { type: 'raw', bytes: `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n` };
  }
});

describe('Gemini', () => {
  const gemini = () => ({ env: { GOOGLE_KEY: 'k', GOOGLE_REVERSE_PROXY: provider.url } });
  const vertex = () => ({
    env: {
      GOOGLE_SERVICE_KEY_FILE: writeServiceKey(`${provider.url}/token`),
      GOOGLE_VERTEX_REVERSE_PROXY: provider.url,
    },
  });
  const inlineData = { mimeType: 'image/png', data: 'AAAA' };
  const functionCall = { name: 'plot', args: { input: '1' } };

  it.each([
    ['by its own API', gemini],
    ['by Vertex', vertex],
  ])('has signatures with calls, and pictures in results, %s', async (_, setup) => {
    const messages = [question, step([], { ...seen, signature: 'c2ln' }, failed)];
    const asked = { endpoint: 'google', model: 'gemini-3-pro-preview', messages };
    expect(await bodyOf(setup(), { ...asked, toolChoice: 'none' })).toMatchObject({
      contents: [
        { role: 'user' },
        { role: 'model', parts: [{ functionCall, thoughtSignature: 'c2ln' }, { functionCall }] },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'plot', response: { output: 'Drawn.' }, parts: [{ inlineData }] } },
            { functionResponse: { name: 'plot', response: { error: 'No.' } } },
          ],
        },
      ],
      tools: [{ functionDeclarations: [{ name: 'plot', description: 'Draws.', parametersJsonSchema: parameters }] }],
      toolConfig: { functionCallingConfig: { mode: 'NONE' } },
    });
  });

  it('shows images beside results to models that take none in them', async () => {
    const asked = { endpoint: 'google', model: 'gemini-2.5-flash', messages: [question, step([], seen)] };
    expect(await bodyOf(gemini(), asked)).toMatchObject({
      contents: [
        {},
        { parts: [{ functionCall }] },
        { parts: [{ functionResponse: { response: { output: 'Drawn.' } } }, { inlineData }] },
      ],
    });
  });

  it('names tools as Google allows, and tells their own names', async () => {
    const odd = [{ name: '1st-tool', description: 'Odd.', parameters }];
    const asked = { endpoint: 'google', model: 'gemini-2.5-flash' };
    const messages: ChatMessage[] = [{ role: 'user', content: 'call _1st-tool {"input":"1"} [[tool-steps]]' }];
    const heard = await hear(await openEndpoints(gemini()), { ...asked, messages, tools: odd });
    expect(heard.reason).toBeNull();
    expect([...heard.tools.values()]).toMatchObject([{ name: '1st-tool' }]);
  });

  it('marks calls of other models where a signature is required', async () => {
    const asked = { endpoint: 'google', model: 'gemini-3-pro-preview', messages: [question, step([], {}, {})] };
    expect(await bodyOf(gemini(), asked)).toMatchObject({
      contents: [
        {},
        { parts: [{ functionCall, thoughtSignature: 'skip_thought_signature_validator' }, { functionCall }] },
        {},
      ],
    });
  });
});

function dataOf({ signatures }: Heard): string[] {
  return signatures.map(({ data }) => data);
}
