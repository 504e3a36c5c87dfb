/** Tools by Anthropic, with the rules by which it refuses a history. */
import * as z from 'zod';
import { AnthropicDocument, AnthropicImage } from '../images-seen.ts';
import type { GivenCall, GivenStep } from './tools-in-request.ts';

const Text = z.object({ type: z.literal('text'), text: z.string().min(1) });
const Shown = z.union([AnthropicImage, AnthropicDocument, Text.transform(({ text }) => text)]);

const Use = z.strictObject({
  type: z.literal('tool_use'),
  id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
});

const Result = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string().transform((text) => [text]), z.array(Shown)]),
  is_error: z.boolean().optional(),
});

const ReasoningBlock = z.union([
  z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().min(1) }),
  z.strictObject({ type: z.literal('redacted_thinking'), data: z.string().min(1) }),
]);

const Block = z.union([Shown, Use, Result, ReasoningBlock]);

export const Content = z.union([z.string().transform((text) => (text === '' ? [] : [text])), z.array(Block)]);

export const Offered = z.strictObject({
  name: z.string(),
  description: z.string(),
  input_schema: z.record(z.string(), z.unknown()),
});

export type Message = { role: 'user' | 'assistant'; content: z.infer<typeof Block>[] };

/** What a turn says in words, images as lines. */
export function turnText({ content }: Message): string {
  return content.filter((block) => typeof block === 'string').join('\n');
}

/** Whether a turn is a person's, not only the results of calls. */
export function isQuestion(message: Message): boolean {
  return message.role === 'user' && (message.content.length === 0 || turnText(message) !== '');
}

/** The steps since the newest question, or why the turns are refused. */
export function anthropicSteps(messages: readonly Message[], isThinking: boolean): GivenStep[] | { refused: string } {
  const ids = messages.flatMap(({ content }) => content.flatMap((block) => (isOf(block, 'tool_use') ? block.id : [])));
  if (new Set(ids).size < ids.length) return { refused: 'messages: `tool_use` ids must be unique' };
  for (const [at, message] of messages.entries()) {
    const fault = faultOf(message, messages[at - 1], messages[at + 1]);
    if (fault) return { refused: `messages.${at}: ${fault}` };
  }
  const last = messages.findLast(({ content }) => content.some((block) => isOf(block, 'tool_use')));
  const isStep = messages.at(-1)?.content.some((block) => isOf(block, 'tool_result')) === true;
  if (isThinking && isStep && !isReasoning(last?.content[0]))
    return {
      refused: 'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.',
    };
  const question = messages.findLastIndex(isQuestion);
  return messages.flatMap((message, at) => (at > question ? stepIn(message, messages[at + 1]) : []));
}

function faultOf(message: Message, before?: Message, after?: Message): string | undefined {
  const { content } = message;
  const asked = content.flatMap((block) => (isOf(block, 'tool_use') ? block.id : []));
  const answered = after?.content.flatMap((block) => (isOf(block, 'tool_result') ? block.tool_use_id : [])) ?? [];
  const missing = asked.find((id) => !answered.includes(id));
  if (missing) return `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing}`;
  const results = content.map((block) => isOf(block, 'tool_result'));
  if (results.lastIndexOf(true) > results.indexOf(false) && results.includes(false) && results.includes(true))
    return '`tool_result` blocks must be first in their turn';
  const extra = content.find(
    (block) =>
      isOf(block, 'tool_result') &&
      !before?.content.some((one) => isOf(one, 'tool_use') && one.id === block.tool_use_id),
  );
  if (extra) return 'unexpected `tool_use_id` found in `tool_result` blocks';
  const reasoning = content.map(isReasoning);
  if (reasoning.includes(true) && !reasoning[0]) return 'the first block must be `thinking` or `redacted_thinking`';
  return undefined;
}

function stepIn(message: Message, after?: Message): GivenStep[] {
  const uses = message.content.filter((block) => isOf(block, 'tool_use'));
  if (uses.length === 0) return [];
  const calls = uses.map(({ id, name, input }): GivenCall => {
    const result = after?.content.find((block) => isOf(block, 'tool_result') && block.tool_use_id === id);
    const [output = '', ...images] = isOf(result, 'tool_result') ? result.content : [];
    const isError = isOf(result, 'tool_result') && result.is_error === true;
    return { name, input: JSON.stringify(input), output, isError, images };
  });
  const signatures = message.content.flatMap((block) => {
    if (isOf(block, 'thinking')) return block.signature;
    return isOf(block, 'redacted_thinking') ? block.data : [];
  });
  return [{ calls, signatures, isUnsigned: signatures.length === 0 }];
}

type Kinds = Exclude<z.infer<typeof Block>, string>;

function isOf<Type extends Kinds['type']>(
  block: z.infer<typeof Block> | undefined,
  type: Type,
): block is Extract<Kinds, { type: Type }> {
  return typeof block === 'object' && block.type === type;
}

function isReasoning(block: z.infer<typeof Block> | undefined): boolean {
  return isOf(block, 'thinking') || isOf(block, 'redacted_thinking');
}
