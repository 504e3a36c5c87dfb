// The classic agent: tools by text alone, in steps of Thought, Action, Action Input and Observation. It turns what the
// model writes into the deltas of calls, so that the loop is the same.
import { asFields, listIn } from '@parley/schema/json';
import type { Delta } from '../generation/delta.ts';
import type { ChatMessage, FinishedCall } from '../providers/provider.ts';
import type { Tool } from '../tools/tool.ts';
import type { ModelStep } from './agent.ts';

const MARKS = ['action:', 'final answer:', 'thought:', 'observation:'];

const MARK = /(^|\n)[ \t]*\**(action|final answer|observation)\**:\**[ \t]*/i;

const LATER_MARK = /(\n)[ \t]*\**(action|final answer|observation)\**:\**[ \t]*/i;

const THOUGHT = /(^|\n)[ \t]*\**thought\**:\**[ \t]*/gi;

const INPUT = /^\**action input\**:\**/i;

const NONE = /^(?:n\/a|none|no action)?[.]?$/i;

export const SELF_REFLECTION = 'self-reflection';
/** Answers without an action are given back so often; the next one is the reply. */
const REFLECTIONS_MAX = 2;

/** The beginning of an observation ends what the model writes. */
export const CLASSIC_STOP = ['\nObservation:'];

const FORM = `Thought: what you consider to do next
Action: the name of one tool, or N/A for none
Action Input: the input of the tool
Observation: the result of the tool, which you are told`;

/** Called for the model where its reply cannot be read: tells it the form. */
export const selfReflection: Tool = {
  name: SELF_REFLECTION,
  description: 'Think about your last step again.',
  parameters: { type: 'object', properties: { input: { type: 'string' } } },
  kind: 'function',
  from: { source: 'builtin', id: SELF_REFLECTION, label: 'Self reflection' },
  isRepeatable: true,
  asks: 'never',
  limits: { timeoutMs: 1000, outputChars: 2000 },
  run: async () => ({
    type: 'done',
    text: 'The last step had neither an "Action:" with an "Action Input:" nor a "Final Answer:". Answer in this form.',
  }),
};

export function classicInstructions(tools: Iterable<Tool>, mayCall: boolean): string {
  const offered = [...tools].filter(({ name }) => name !== SELF_REFLECTION);
  const list = offered.map(({ name, description, parameters }) => {
    return `${name}: ${description}\n  Input: JSON of this schema: ${JSON.stringify(parameters)}`;
  });
  return [
    'Answer the question with the help of these tools:',
    list.join('\n'),
    `Write each step in this form, and nothing else:\n${FORM}`,
    'Never write an Observation yourself. When you know the answer, or need no tool, end with:\nFinal Answer: the answer to the question, in its language',
    ...(mayCall ? [] : ['No more tools may be used now: write the Final Answer.']),
  ].join('\n\n');
}

/**
 * The conversation without calls: the steps since the question stand below it as text, the last ones with these
 * thoughts.
 */
export function classicMessages(messages: readonly ChatMessage[], reasoning: readonly string[]): ChatMessage[] {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const question = messages[at];
  if (!question) return messages.map(wordsOf);
  const before = messages
    .slice(0, at)
    .flatMap((message) => (message.content === '' && message.calls ? [] : [wordsOf(message)]));
  const steps = messages.slice(at + 1);
  if (steps.length === 0) return [...before, question];
  const work = steps.map(({ content, calls = [] }, n) => {
    const reasoningText = reasoning[n - steps.length + reasoning.length];
    return [reasoningText && `Thought: ${reasoningText}`, content.trim(), ...calls.map(stepOf)]
      .filter(Boolean)
      .join('\n');
  });
  const images = steps.flatMap(({ calls = [] }) => calls.flatMap((call) => call.images ?? []));
  const shown = [...(question.images ?? []), ...images];
  const content = `${question.content}\n\nYour steps so far:\n${work.join('\n')}\nThought:`;
  return [...before, { ...question, content, ...(shown.length > 0 && { images: shown }) }];
}

function wordsOf({ calls: _calls, signatures: _signatures, ...message }: ChatMessage): ChatMessage {
  return message;
}

function stepOf({ name, input, output }: FinishedCall): string {
  return `Action: ${name}\nAction Input: ${input}\nObservation: ${output}`;
}

/** The deltas of the model's text: thoughts as reasoning, an action as a call, the final reply as text. */
export async function* readClassic(
  deltas: AsyncIterable<Delta>,
  tools: ReadonlyMap<string, Tool>,
  { messages, toolChoice }: ModelStep,
  onReasoning: (reasoningText: string) => void,
): AsyncGenerator<Delta> {
  const reader = createClassicReader();
  for await (const delta of deltas) {
    if (delta.type === 'text') {
      for (const { type, text } of reader.read(delta.text))
        yield { type: type === 'answer' ? 'text' : 'reasoning', text };
    } else if (delta.type === 'finish') yield* finish(delta);
    else yield delta;
  }

  function* finish(delta: Extract<Delta, { type: 'finish' }>): Generator<Delta> {
    const ending = reader.end();
    let next = ending.next();
    for (; !next.done; next = ending.next()) {
      const { type, text } = next.value;
      yield { type: type === 'answer' ? 'text' : 'reasoning', text };
    }
    if (delta.reason === 'content_filter') return yield delta;
    onReasoning(reader.thought());
    const last = lastOf(next.value);
    if (last) yield last;
    yield last?.type === 'tool' ? { type: 'finish', reason: 'tool_calls' } : delta;
  }

  /** The call that the reply asks for; the whole text where the model goes on without the form. */
  function lastOf(ended: ClassicEnd): Delta | null {
    if (ended?.type === 'answer') return null;
    if (ended) return toolDelta(nameOf(ended.name, tools), ended.input);
    const isStuck = toolChoice === 'none' || reflectionsIn(messages) >= REFLECTIONS_MAX;
    if (isStuck) return { type: 'text', text: reader.thought() };
    return toolDelta(SELF_REFLECTION, JSON.stringify({ input: reader.thought() }));
  }

  function toolDelta(name: string, input: string): Delta {
    const json = inputOf(input, tools.get(name));
    return { type: 'tool', call: { id: 'classic', kind: 'function', name, input: json, output: null, progress: 0.1 } };
  }
}

function nameOf(name: string, tools: ReadonlyMap<string, Tool>): string {
  return [...tools.keys()].find((key) => key.toLowerCase() === name.toLowerCase()) ?? name;
}

/** Plain words are the value of the only text that a tool takes. */
function inputOf(input: string, tool: Tool | undefined): string {
  if (/^\{[\s\S]*\}$/.test(input)) return input;
  const properties = Object.entries(asFields(tool?.parameters.properties));
  const required = listIn(tool?.parameters.required);
  const texts = properties.filter(([name, schema]) => {
    return asFields(schema).type === 'string' && (properties.length === 1 || required.includes(name));
  });
  const [only] = texts;
  return only && texts.length === 1 ? JSON.stringify({ [only[0]]: input.replaceAll(/^"([\s\S]*)"$/g, '$1') }) : input;
}

function reflectionsIn(messages: readonly ChatMessage[]): number {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  return messages
    .slice(at + 1)
    .flatMap(({ calls = [] }) => calls)
    .filter(({ name }) => name === SELF_REFLECTION).length;
}

// Reads the text of the classic agent as it comes: thoughts, then an action with its input or the final reply.

type ClassicPiece = { type: 'thought' | 'answer'; text: string };

/** How a reply ended. `null`: it names no action and no final reply. */
type ClassicEnd = { type: 'call'; name: string; input: string } | { type: 'answer' } | null;

function createClassicReader() {
  let state: 'thought' | 'action' | 'answer' | 'over' = 'thought';
  let held = '';
  let reasoning = '';
  let hasReply = false;
  let isAtLineStart = true;
  return { read, end, thought: () => reasoning.trim() };

  function* read(text: string): Generator<ClassicPiece> {
    held += text;
    if (state === 'thought') yield* readReasoning();
    if (state === 'answer') yield* emitReply();
  }

  function* readReasoning(): Generator<ClassicPiece> {
    const found = markIn(held);
    if (!found) return yield* emitReasoning(held.slice(0, held.length - openTail(held)));
    yield* emitReasoning(held.slice(0, found.index));
    held = held.slice(found.length);
    const { mark } = found;
    state = mark === 'final answer' ? 'answer' : mark === 'action' ? 'action' : 'over';
  }

  function* emitReasoning(raw: string): Generator<ClassicPiece> {
    held = held.slice(raw.length);
    const told = isAtLineStart
      ? raw.replaceAll(THOUGHT, '$1')
      : raw.replaceAll(/\n[ \t]*\**thought\**:\**[ \t]*/gi, '\n');
    if (raw !== '') isAtLineStart = raw.endsWith('\n');
    reasoning += told;
    if (told !== '') yield { type: 'thought', text: told };
  }

  function* emitReply(): Generator<ClassicPiece> {
    const text = hasReply ? held : held.trimStart();
    held = '';
    if (text === '') return;
    hasReply = true;
    yield { type: 'answer', text };
  }

  /** A match only counts at the beginning of a line. */
  function markIn(text: string) {
    const found = (isAtLineStart ? MARK : LATER_MARK).exec(text);
    return found && { index: found.index, length: found[0].length, mark: found[2]?.toLowerCase() };
  }

  function* end(): Generator<ClassicPiece, ClassicEnd> {
    if (state === 'thought') yield* emitReasoning(held);
    if (state === 'answer') return hasReply ? { type: 'answer' } : null;
    return state === 'action' ? yield* endAction() : null;
  }

  function* endAction(): Generator<ClassicPiece, ClassicEnd> {
    const [action = '', answer] = (held.split(/\n[ \t]*\**observation\**:/i)[0] ?? '').split(
      /\n[ \t]*\**final answer\**:\**/i,
    );
    const { name, input } = splitAction(action.trim());
    const cleanName = name.replaceAll(/[`"'*[\]]/g, '').trim();
    if (!NONE.test(cleanName)) return { type: 'call', name: cleanName, input: withoutFence(input) };
    const said = [answer, input, reasoning].map((text) => text?.trim() ?? '').find((text) => !NONE.test(text));
    if (said === undefined) return null;
    yield { type: 'answer', text: said };
    return { type: 'answer' };
  }
}

/** How many characters at the end may be the beginning of a mark. */
function openTail(text: string): number {
  const start = text.lastIndexOf('\n') + 1;
  const line = text.slice(start).trimStart().replaceAll('*', '').toLowerCase();
  const isOpen = MARKS.some((mark) => mark.startsWith(line));
  return isOpen ? text.length - Math.max(0, start - 1) : 0;
}

/** The name stands in the first line, the input below it; without the words `Action Input:` there is none. */
function splitAction(action: string): { name: string; input: string } {
  const end = action.indexOf('\n');
  if (end < 0) return { name: action, input: '' };
  const below = action.slice(end).trim();
  const said = INPUT.exec(below)?.[0];
  return said === undefined
    ? { name: '', input: '' }
    : { name: action.slice(0, end), input: below.slice(said.length).trim() };
}

function withoutFence(input: string): string {
  const text = input.trim();
  if (!text.startsWith('```')) return text;
  const start = text.indexOf('\n');
  const end = text.indexOf('```', 3);
  return text.slice(start < 0 || (end >= 0 && start > end) ? 3 : start, end < 0 ? undefined : end).trim();
}
