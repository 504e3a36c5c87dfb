import { describe, expect, it } from 'vitest';
import { classicMessages, readClassic, SELF_REFLECTION } from '../../../server/src/agents/classic.ts';
import type { Delta } from '../../../server/src/generation/delta.ts';
import type { ChatMessage } from '../../../server/src/providers/provider.ts';
import type { Tool } from '../../../server/src/tools/tool.ts';

const calculator: Tool = {
  name: 'calculator',
  description: 'Computes.',
  parameters: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
  kind: 'function',
  from: { source: 'builtin', id: 'calculator', label: 'Calculator' },
  isRepeatable: true,
  asks: 'never',
  limits: { timeoutMs: 1000, outputChars: 1000 },
  run: async () => ({ type: 'done', text: '4' }),
};
const tools = new Map([['calculator', calculator]]);

interface Read {
  reasoning: string;
  text: string;
  calls: { name: string; input: string }[];
  finish: string | undefined;
}

/** The text comes in pieces of `size` characters. */
async function read(said: string, size = 1, messages: ChatMessage[] = [], toolChoice?: 'none'): Promise<Read> {
  async function* deltas(): AsyncGenerator<Delta> {
    for (let at = 0; at < said.length; at += size) yield { type: 'text', text: said.slice(at, at + size) };
    yield { type: 'finish', reason: 'stop' };
  }
  const got: Read = { reasoning: '', text: '', calls: [], finish: undefined };
  const step = { messages, ...(toolChoice && { toolChoice }) };
  for await (const delta of readClassic(deltas(), tools, step, () => undefined)) {
    if (delta.type === 'reasoning' || delta.type === 'text') got[delta.type] += delta.text;
    if (delta.type === 'tool') got.calls.push({ name: delta.call.name, input: delta.call.input });
    if (delta.type === 'finish') got.finish = delta.reason;
  }
  return { ...got, reasoning: got.reasoning.trim() };
}

const call = (input: string) => ({
  calls: [{ name: 'calculator', input }],
  text: '',
  reasoning: 'I compute.',
  finish: 'tool_calls',
});

describe.each([1, 3, 7, 1000])('in pieces of %i characters', (size) => {
  it.each([
    ['plain words', 'Action Input: 2 + 2', '{"input":"2 + 2"}'],
    ['JSON', 'Action Input: {"input": "2 + 2"}', '{"input": "2 + 2"}'],
    ['a fence', 'Action Input:\n```json\n{"input":"2"}\n```', '{"input":"2"}'],
    ['an observation of its own', 'Action Input: 2\nObservation: 9\nFinal Answer: 9', '{"input":"2"}'],
    ['bold marks', '**Action Input:** "2"', '{"input":"2"}'],
  ])('an action with %s is a call', async (_, input, wanted) => {
    expect(await read(`Thought: I compute.\nAction: Calculator\n${input}`, size)).toEqual(call(wanted));
  });

  it('the final reply is the text, whatever it says about actions', async () => {
    const said = 'Thought: I know.\nFinal Answer: Four.\nAction: none of yours';
    const wanted = { calls: [], reasoning: 'I know.', text: 'Four.\nAction: none of yours', finish: 'stop' };
    expect(await read(said, size)).toEqual(wanted);
  });

  it('a mark within a line is a word', async () => {
    const { text, reasoning } = await read('Thought: my next Action: none.\nFinal Answer: Yes.', size);
    expect({ text, reasoning }).toEqual({ text: 'Yes.', reasoning: 'my next Action: none.' });
  });

  it.each([
    ['Thought: Easy.\nAction: N/A\nFinal Answer: Four.', 'Four.'],
    ['Thought: Easy.\nAction: N/A\nAction Input: Four.', 'Four.'],
    ['Thought: It is four.\nAction: None', 'It is four.'],
  ])('without an action there is an answer: %j', async (said, text) => {
    expect(await read(said, size)).toMatchObject({ calls: [], text, finish: 'stop' });
  });
});

describe('text that cannot be read', () => {
  it('is given back for reflection, twice; then it is the reply', async () => {
    const question: ChatMessage = { role: 'user', content: 'What?' };
    const step = {
      role: 'assistant' as const,
      content: '',
      calls: [{ id: '1', name: SELF_REFLECTION, input: '{}', output: 'No.', isError: false }],
    };
    const first = await read('Just words', 4, [question]);
    expect(first).toMatchObject({ calls: [{ name: SELF_REFLECTION, input: '{"input":"Just words"}' }], text: '' });
    expect(await read('Just words', 4, [question, step, step])).toMatchObject({ calls: [], text: 'Just words' });
    expect(await read('Just words', 4, [question], 'none')).toMatchObject({ calls: [], text: 'Just words' });
  });
});

describe('the next question', () => {
  it('has the steps since then below it, with their reasoning', () => {
    const calls = [{ id: '1', name: 'calculator', input: '{"input":"2"}', output: '4', isError: false }];
    const messages: ChatMessage[] = [
      { role: 'user', content: 'Before' },
      { role: 'assistant', content: '', calls },
      { role: 'assistant', content: 'Four.' },
      { role: 'user', content: 'What?' },
      { role: 'assistant', content: '', calls },
    ];
    const [before, , question, ...rest] = classicMessages(messages, ['I compute.']);
    expect(before).toEqual({ role: 'user', content: 'Before' });
    expect(rest).toEqual([]);
    expect(question?.content).toBe(
      'What?\n\nYour steps so far:\nThought: I compute.\nAction: calculator\nAction Input: {"input":"2"}\nObservation: 4\nThought:',
    );
  });
});
