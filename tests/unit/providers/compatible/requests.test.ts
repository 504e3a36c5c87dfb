import { createKnownRefusals, createRefusals } from '@parley/server/providers/compatible/refusals';
import type { ChatMessage } from '@parley/server/providers/provider';
import { describe, expect, it } from 'vitest';
import { ask, DONE, ended, said, eventStream, type Answer, type Body } from './stranger.ts';

const good = { text: eventStream(said('Yes.'), ended()) + DONE };
const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });
const image = { mime: 'image/png', data: 'AAAA', detail: 'low' } as const;
const settings = { promptPrefix: 'Be brief.', chatGptLabel: 'Al' };

type Sent = { role: string; content: unknown; name?: string; tool_calls?: unknown }[];
const messagesOf = (body: Body | undefined) => body?.messages as Sent;

/** Refuses what the templates of many models refuse. */
const strict: Answer = ({ messages }) => {
  const sent = messages as Sent;
  const refusal = (message: string) => ({ status: 400, text: JSON.stringify({ error: { message } }) });
  if (sent.some(({ role, name }) => role !== 'user' && name !== undefined))
    return refusal("Only messages of role 'user' can have a name.");
  if (sent.slice(1).some(({ role }) => role === 'system')) return refusal('System message must be at the beginning.');
  const turns = sent.filter(({ role }) => role !== 'system').map(({ role }) => role);
  const isOdd = turns[0] !== 'user' || turns.some((role, index) => role !== 'tool' && role === turns[index - 1]);
  return isOdd ? refusal('Conversation roles must alternate user/assistant/user/assistant/...') : good;
};

const step: ChatMessage = {
  role: 'assistant',
  content: '',
  calls: [
    { id: '1', name: 'plot', input: '{}', output: 'Drawn.', isError: false, images: [image] },
    { id: '2', name: 'plot', input: '{}', output: 'No.', isError: true },
  ],
};

describe('a request to a server that is not OpenAI’s', () => {
  it.each<[string, ChatMessage[], string | undefined]>([
    ['one question', [user('Hi')], undefined],
    ['a second question', [user('Hi'), assistant('Hello.'), user('Why?')], undefined],
    ['two questions, as the first failed', [user('Hi'), user('Hi?')], undefined],
    ['an answer without words', [user('Hi'), assistant(''), user('Hi?')], undefined],
    ['an answer first', [assistant('Hello.'), user('Hi?')], undefined],
    ['two answers', [user('Hi'), assistant('Hel'), assistant('lo.'), user('Why?')], undefined],
    ['questions with pictures', [{ ...user('Hi'), images: [image] }, user('Hi?')], undefined],
    ['a summary', [user('Hi'), assistant('Hello.'), user('Why?')], 'They met.'],
    ['calls of tools', [user('Hi'), step, user('Why?')], undefined],
  ])('has one system message, first, no names and turns that alternate: %s', async (_, messages, summary) => {
    const { reason, asked } = await ask(strict, { messages, settings, ...(summary && { summary }) });
    expect(reason).toBeNull();
    expect(asked).toHaveLength(1);
    const [first] = messagesOf(asked[0]);
    expect(first).toEqual({ role: 'system', content: `Instructions:\nBe brief.${summary ? `\n\n${summary}` : ''}` });
  });

  it('a request has the words of joined turns', async () => {
    const { asked } = await ask(strict, { messages: [{ ...user('One'), images: [image] }, user('Two')] });
    expect(messagesOf(asked[0])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'One' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
          { type: 'text', text: 'Two' },
        ],
      },
    ]);
  });
});

/** Refuses these fields, one at a time, in these words. */
const refusing =
  (fields: string[], status: number, words: (field: string) => object | string): Answer =>
  (body) => {
    const field = fields.find((name) => name in body);
    const said = field === undefined ? '' : words(field);
    return field === undefined ? good : { status, text: typeof said === 'string' ? said : JSON.stringify(said) };
  };

describe('what a server refuses by name', () => {
  it.each<[string, number, (field: string) => object | string]>([
    [
      'vLLM’s words',
      422,
      (field) => ({
        detail: [{ type: 'extra_forbidden', loc: ['body', field], msg: 'Extra inputs are not permitted' }],
      }),
    ],
    [
      'words of Mistral',
      422,
      (field) => ({
        object: 'error',
        message: { detail: [{ type: 'extra_forbidden', loc: ['body', field], msg: 'Extra inputs are not permitted' }] },
      }),
    ],
    ['words of Groq', 400, (field) => ({ error: { message: `property '${field}' is unsupported` } })],
    [
      'words of OpenAI',
      400,
      (field) => ({ error: { message: `Unrecognized request argument supplied: ${field}`, param: null } }),
    ],
    ['a parameter', 400, (field) => ({ error: { message: 'Unsupported parameter', param: field } })],
    [
      'a list of what is taken',
      400,
      (field) => ({ error: `unknown field \`${field}\`, expected one of \`model\`, \`user\`, \`temperature\`` }),
    ],
    ['plain text', 400, (field) => `Parameter ${field} is not supported by this model`],
    ['words of a gateway', 400, (field) => ({ error: `"${field}" is not allowed` })],
    ['words of a gateway that fails', 500, (field) => ({ error: { message: `${field} is unsupported`, code: 500 } })],
    [
      'an error in the stream',
      200,
      (field) => `data: ${JSON.stringify({ error: { message: `Unsupported parameter: ${field}`, code: 400 } })}\n\n`,
    ],
  ])('is left out, and not sent again, by %s', async (_, status, words) => {
    const answer = refusing(['stream_options', 'user'], status, words);
    const target = { baseURL: `http://${crypto.randomUUID()}.example/v1`, addParams: { user: 'team' } } as never;
    const first = await ask(answer, { target, settings: { temperature: 0.5 } });
    expect(first).toMatchObject({ text: 'Yes.', reason: null });
    expect(first.asked).toHaveLength(3);
    expect(first.asked[2]).toMatchObject({ temperature: 0.5, stream: true, model: 'one' });
    const next = await ask(answer, { target, model: 'two' });
    expect(next.asked).toHaveLength(1);
    const elsewhere = await ask(() => good);
    expect(elsewhere.asked[0]).toMatchObject({ stream_options: { include_usage: true } });
  });

  it('the id of the person who asks is not sent to it', async () => {
    const { asked } = await ask(() => good);
    expect(JSON.stringify(asked)).not.toContain('alice');
    expect(asked[0]).not.toHaveProperty('user');
    const completion = await ask(eventStream({ choices: [{ text: 'Yes.' }] }) + DONE, { model: 'davinci-002' });
    expect(completion.asked[0]).not.toHaveProperty('user');
  });

  it('a refused field is remembered for the model where a person asked for it', async () => {
    const answer: Answer = (body) =>
      body.model === 'one' && 'temperature' in body
        ? {
            status: 400,
            text: JSON.stringify({ error: { message: "'temperature' is not supported with this model." } }),
          }
        : good;
    const target = { baseURL: 'http://by-model.example/v1' } as never;
    const over = { target, settings: { temperature: 0.5 } };
    expect((await ask(answer, over)).asked).toHaveLength(2);
    expect((await ask(answer, over)).asked).toHaveLength(1);
    expect((await ask(answer, { ...over, model: 'two' })).asked).toMatchObject([{ temperature: 0.5 }]);
  });

  it.each<[string, string, string, number]>([
    [
      'xAI',
      'presence_penalty',
      JSON.stringify({
        code: 'Client specified an invalid argument',
        error: 'Argument not supported on this model: presencePenalty',
      }),
      0.5,
    ],
    ['xAI', 'presence_penalty', '{"error":"Model grok-4 does not support parameter presencePenalty."}', 0.5],
    [
      'LiteLLM',
      'temperature',
      JSON.stringify({
        error: {
          message:
            "litellm.UnsupportedParamsError: o5 doesn't support temperature=0.5. Set `litellm.drop_params = True`",
          param: null,
          code: '400',
        },
      }),
      0.5,
    ],
    [
      'LiteLLM',
      'top_p',
      JSON.stringify({
        error: { message: "litellm.UnsupportedParamsError: x does not support parameters: ['top_p'], for model=x" },
      }),
      0.5,
    ],
    [
      'OpenAI',
      'temperature',
      JSON.stringify({
        error: {
          message: "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) is.",
          param: 'temperature',
        },
      }),
      0.5,
    ],
    ['DeepSeek', 'frequency_penalty', '{"error":{"message":"frequency_penalty is not supported"}}', 0.5],
  ])('is left out in the words of %s: %s', async (_, field, text, value) => {
    const answer: Answer = (body) => (field in body ? { status: 400, text } : good);
    const told = await ask(answer, { settings: { [field]: value } });
    expect(told).toMatchObject({ text: 'Yes.', reason: null });
    expect(told.asked).toHaveLength(2);
  });

  it('a refused field is learned again after an hour, as a server may be replaced', async () => {
    let clock = 0;
    const learned: string[] = [];
    const onLearned = (text: string) => void learned.push(text);
    const refusals = createRefusals('vLLM', createKnownRefusals({ onLearned, now: () => clock }));
    const target = { baseURL: 'http://replaced.example/v1', refusals } as never;
    const old = refusing(['stream_options'], 400, (field) => ({ error: { message: `unknown field ${field}` } }));
    expect((await ask(old, { target })).asked).toHaveLength(2);
    expect((await ask(old, { target })).asked).toHaveLength(1);
    expect(refusals.list()).toEqual([{ name: 'stream_options', model: null }]);
    clock += 3_600_001;
    expect(refusals.list()).toEqual([]);
    expect((await ask(() => good, { target })).asked).toMatchObject([{ stream_options: {} }]);
    expect(learned).toEqual(['The server of vLLM refused stream_options: requests leave it out for an hour.']);
  });

  it('may be the stream: the whole answer is read', async () => {
    const whole = { choices: [{ message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }] };
    const answer: Answer = (body) =>
      'stream' in body
        ? {
            status: 400,
            text: JSON.stringify({
              error: { message: "Unsupported value: 'stream' does not support true with this model.", param: 'stream' },
            }),
          }
        : { text: JSON.stringify(whole), type: 'application/json' };
    const told = await ask(answer);
    expect(told).toMatchObject({ text: 'Yes.', finish: 'stop', reason: null });
    expect(told.asked[1]).not.toHaveProperty('stream_options');
  });

  it.each([
    'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
    'Cannot set `add_generation_prompt` to True when the last message is from the assistant.',
    'This model does not support assistant message prefill. The conversation must end with a user message.',
  ])('may be an unfinished answer at the end, which it is asked to go on with then: %s', async (message) => {
    const answer: Answer = (body) =>
      messagesOf(body).at(-1)?.role === 'assistant'
        ? { status: 400, text: JSON.stringify({ object: 'error', message }) }
        : good;
    const { text, asked } = await ask(answer, { messages: [user('Hi'), assistant('Hel')] });
    expect(text).toBe('Yes.');
    expect(messagesOf(asked[1]).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it.each([
    [400, { error: { message: "Unexpected role 'tool'" } }],
    [400, { error: { message: "Unexpected role 'user' after role 'tool'" } }],
    [500, { error: { code: 500, message: 'Only user and assistant roles are supported!' } }],
    [500, { error: { message: 'Conversation roles must alternate user/assistant/user/assistant/...' } }],
    [
      422,
      { detail: [{ loc: ['body', 'messages', 1, 'tool_calls'], msg: 'tool_calls: Extra inputs are not permitted' }] },
    ],
  ])('may be earlier calls of tools, which are told in words then: %s %j', async (status, body) => {
    const answer: Answer = (sent) =>
      messagesOf(sent).some(({ role, tool_calls: calls }) => role === 'tool' || calls)
        ? { status, text: JSON.stringify(body) }
        : good;
    const { text, asked } = await ask(answer, { messages: [user('Draw.'), step, user('Why?')] });
    expect(text).toBe('Yes.');
    expect(messagesOf(asked[1]).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(JSON.stringify(asked[1])).toContain('Result of plot:');
  });

  it.each([
    ['a value', { error: { message: 'temperature must be between 0 and 1', param: 'temperature' } }],
    [
      'a role',
      {
        error: { message: "Conversation roles must alternate: the last role must be 'user', others are not supported" },
      },
    ],
    ['nothing', { error: { message: 'Bad request' } }],
    ['the model', { error: { message: "The model 'one' is not supported", param: 'model' } }],
  ])('is told where it is %s', async (_, body) => {
    const told = await ask(() => ({ status: 400, text: JSON.stringify(body) }), { settings: { temperature: 3 } });
    expect(told.asked).toHaveLength(1);
    expect(told.reason).toMatchObject({ type: 'provider_refused', text: body.error.message });
  });

  it('ends with a server that refuses everything', async () => {
    const told = await ask((body) => ({
      status: 400,
      text: JSON.stringify({ error: { message: `unsupported fields: ${Object.keys(body).join(', ')}` } }),
    }));
    expect(told.reason).toMatchObject({ type: 'provider_refused' });
    expect(told.asked.length).toBeLessThan(7);
  });

  it.each([
    'System role not supported',
    'invalid role: system',
    "Input should be 'user' or 'assistant'",
    'Only user and assistant roles are supported!',
    'Error rendering prompt with jinja template: "System role not supported".',
  ])('may be the role of the instructions, which begin the question then: %s', async (message) => {
    const answer: Answer = (body) =>
      messagesOf(body).some(({ role }) => role === 'system')
        ? { status: 400, text: JSON.stringify({ message }) }
        : good;
    const { text, asked } = await ask(answer, { settings });
    expect(text).toBe('Yes.');
    expect(messagesOf(asked[1])).toEqual([{ role: 'user', content: 'Instructions:\nBe brief.\n\nHello' }]);
  });

  it.each([
    [400, { error: { message: 'This model does not support image input.' } }],
    [400, { error: { message: 'At most 0 image(s) may be provided in one request.' } }],
    [404, { error: { message: 'No endpoints found that support image input', code: 404 } }],
    [422, { detail: [{ loc: ['body', 'messages', 0, 'content'], msg: 'Input should be a valid string' }] }],
    [500, { error: { code: 500, message: 'image input is not supported - hint: you may need to provide the mmproj' } }],
    [
      500,
      { error: { message: 'Failed to parse messages: Unsupported content part type: "image_url"; messages = []' } },
    ],
    [400, { error: { message: 'json: cannot unmarshal array into Go struct field Message.content of type string' } }],
    [400, { error: 'this model is missing data required for image input' }],
    [400, { error: { message: 'messages[0]: unknown variant `image_url`, expected `text`' } }],
  ])('may be pictures, of which the model is told: %s %j', async (status, body) => {
    const answer: Answer = (sent) =>
      messagesOf(sent).some(({ content }) => Array.isArray(content)) ? { status, text: JSON.stringify(body) } : good;
    const { text, asked } = await ask(answer, { messages: [{ ...user('What is it?'), images: [image] }] });
    expect(text).toBe('Yes.');
    expect(messagesOf(asked[1])[0]?.content).toBe('What is it?\n\n(Here is a picture or file that you cannot see.)');
  });
});
