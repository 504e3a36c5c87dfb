// Builds request bodies for Anthropic (docs/rest-compat.md, Provider requests).
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import { claudeGeneration } from '@parley/schema/catalog/claude';
import { endpointParams, withDefaults } from '@parley/schema/catalog/endpoints';
import type { Settings } from '@parley/schema/catalog/params';
import { replyReserveOf } from '@parley/schema/catalog/windows';
import { forcesCall } from '../answers/answer-format.ts';
import { withContinuePrompt, isContinuation } from '../continue-prompt.ts';
import { hasCalls, withWireIds } from '../finished-calls.ts';
import type { ChatMessage, ProviderCall } from '../provider.ts';
import { answerSchema } from './answer-schema.ts';
import { briefReply, thinkingFor, withoutThinking } from './thinking.ts';
import { joinTurns, lacksReasoning, anthropicImage, stepTurns, toolParams, type Turn } from './tools.ts';
import { asFields } from '@parley/schema/json';

const MARK = { cache_control: { type: 'ephemeral' } } as const;

/** Shorter prompts are not cached, even if marked: no model caches less than 1,024 tokens of at least three bytes. */
const BYTES_MIN = 3 * 1024;

/**
 * How many of the user's last turns are marked: the last, to be read by the next question, and the one before, where the
 * last question wrote. With the tools and the instructions these are the four marks that a request may have.
 */
const TURNS_MARKED = 2;

export function messagesBody(call: ProviderCall) {
  const { model, settings, messages, userId } = call;
  const system = systemOf(settings);
  const extent = extentOf(call);
  const prompt = {
    messages: turnsOf(isEarly(model) && !('thinking' in extent) ? messages : withContinuePrompt(messages)),
    ...(system !== '' && { system }),
    ...toolParams(call),
  };
  return {
    model,
    ...(call.target.cachesPrompts && !call.isAlone ? withCacheMarks(prompt) : prompt),
    ...extent,
    ...('thinking' in extent ? {} : samplingFor(model, settings)),
    ...(call.stop && { stop_sequences: [...call.stop] }),
    metadata: { user_id: userId },
    stream: true,
  } as MessageCreateParamsStreaming;
}

function extentOf(call: ProviderCall) {
  const extent = thoughtOf(call);
  const schema = answerSchema(call);
  if (!schema) return extent;
  return { ...extent, output_config: { ...extent.output_config, format: { type: 'json_schema' as const, schema } } };
}

function thoughtOf(call: ProviderCall) {
  const { model, settings, messages, maxTokens } = call;
  const asked = maxTokens === undefined ? thinkingFor(model, settings) : briefReply(model, maxTokens);
  const { thinking, ...rest } = forcesCall(call) || call.thinks === false ? withoutThinking(model, asked) : asked;
  const isOff = !thinking || (thinking.type === 'enabled' && lacksReasoning(messages));
  return {
    max_tokens: replyReserveOf('anthropic', model, settings),
    ...(isOff ? {} : { thinking }),
    ...rest,
  };
}

function turnsOf(messages: readonly ChatMessage[]): Turn[] {
  if (!messages.some(hasCalls)) return alternating(messages).map(withImages);
  const question = messages.findIndex(({ role }) => role === 'user');
  const turns = withWireIds(messages.slice(Math.max(question, 0)));
  const end = turns.at(-1);
  if (end && isContinuation(turns)) end.content = end.content.trimEnd();
  const joined = joinTurns(
    turns.flatMap((message) => (hasCalls(message) ? stepTurns(message) : [withImages(message)])),
  );
  return joined.filter(({ content }) => content.length > 0);
}

const HUMAN = '\n\nHuman:';
const ASSISTANT = '\n\nAssistant:';

export function completionBody({ model, settings, messages, userId, maxTokens, stop = [] }: ProviderCall): object {
  const { temperature, topP, topK, maxOutputTokens } = withDefaults(endpointParams('anthropic', model), settings);
  const turns = messages.map(({ role, content }) => `${role === 'user' ? HUMAN : ASSISTANT} ${content}`);
  return {
    model,
    prompt: `${systemOf(settings)}${turns.join('')}${isContinuation(messages) ? '' : ASSISTANT}`,
    max_tokens_to_sample: maxTokens ?? maxOutputTokens,
    stop_sequences: [HUMAN, ...stop],
    temperature,
    top_p: topP,
    top_k: topK,
    metadata: { user_id: userId },
    stream: true,
  };
}

/** Up to Claude 3: later models refuse some parameters that these accept. */
function isEarly(model: string): boolean {
  return /^claude-(?:[123]\b|instant)/.test(model);
}

/**
 * Early models get the defaults that the panel shows. Later ones get only what the user set: from 4.1 on they refuse
 * temperature and top_p together, and temperature is the likelier intent; from 4.7 on they refuse all sampling
 * parameters, and so does every model with thinking on.
 */
function samplingFor(model: string, settings: Settings) {
  const params = endpointParams('anthropic', model);
  const { temperature, topP, topK } = isEarly(model) ? withDefaults(params, settings) : settings;
  if (!params.temperature) return {};
  const takesBoth = (claudeGeneration(model) ?? Infinity) < 4.1 || temperature === undefined;
  return given({ temperature, top_p: takesBoth ? topP : undefined, top_k: topK });
}

function given(params: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}

function systemOf({ modelLabel, promptPrefix }: Settings): string {
  const identity = typeof modelLabel === 'string' && modelLabel !== '' ? [`You are ${modelLabel}.`] : [];
  const context = typeof promptPrefix === 'string' && promptPrefix.trim() !== '' ? [`Context:\n${promptPrefix}`] : [];
  return [...identity, ...context].join('\n\n');
}

/** Files and images come first: models read a question about them better after them. */
function withImages({ role, content, images = [], files = [] }: ChatMessage): Turn {
  if (images.length + files.length === 0) return { role, content };
  const documents = files.map(({ name, mime, data }) => ({
    type: 'document',
    source: { type: 'base64', media_type: mime, data },
    title: name,
  }));
  const imageParts = images.map(anthropicImage);
  return { role, content: [...documents, ...imageParts, ...(content === '' ? [] : [{ type: 'text', text: content }])] };
}

/** Merges consecutive turns of one role, makes the first turn a user's, and trims trailing white space of the last. */
function alternating(messages: readonly ChatMessage[]): ChatMessage[] {
  const turns: ChatMessage[] = [];
  for (const message of messages) {
    const { role, content, images = [], files = [] } = message;
    const last = turns.at(-1);
    if (last?.role === role) {
      last.content += `\n\n${content}`;
      if (images.length > 0) last.images = [...(last.images ?? []), ...images];
      if (files.length > 0) last.files = [...(last.files ?? []), ...files];
    } else if (last || role === 'user') turns.push({ ...message });
  }
  const end = turns.at(-1);
  if (end?.role === 'assistant') end.content = end.content.trimEnd();
  return turns;
}

// Asks Anthropic to cache the beginning of a prompt: what the next question repeats then costs a tenth.
// https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching
interface Body {
  system?: string | object[];
  tools?: object[];
  messages: Turn[];
}

/** The body with its marks. */
export function withCacheMarks<T extends Body>(body: T): T {
  const { system, tools, messages } = body;
  if (Buffer.byteLength(JSON.stringify([system, tools, messages])) < BYTES_MIN) return body;
  const marked = messages.flatMap(({ role }, place) => (role === 'user' ? [place] : [])).slice(-TURNS_MARKED);
  return {
    ...body,
    ...(typeof system === 'string' && { system: [{ type: 'text', text: system, ...MARK }] }),
    ...(tools && { tools: tools.map((tool, place) => (place === tools.length - 1 ? { ...tool, ...MARK } : tool)) }),
    messages: messages.map((turn, place) => (marked.includes(place) ? withMark(turn) : turn)),
  };
}

/** The last block is marked, unless it can't be: empty texts and reasoning must not be. */
function withMark(turn: Turn): Turn {
  const blocks = typeof turn.content === 'string' ? [{ type: 'text', text: turn.content }] : turn.content;
  const last = blocks.findLastIndex(takesMark);
  if (last === -1) return turn;
  return { ...turn, content: blocks.map((block, place) => (place === last ? { ...block, ...MARK } : block)) };
}

function takesMark(block: object): boolean {
  const { type, text } = asFields(block);
  return type === 'text' ? text !== '' : type !== 'thinking' && type !== 'redacted_thinking';
}
