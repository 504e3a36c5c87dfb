// Builds request bodies in OpenAI's protocol (docs/rest-compat.md, Provider requests).
import { endpointParams } from '@parley/schema/catalog/endpoints';
import type { Settings } from '@parley/schema/catalog/params';
import { countsReasoning, thinksFirst } from '@parley/schema/catalog/reasoning-models';
import { KEPT_FIELDS } from '@parley/schema/settings/settings';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { CompletionCreateParamsStreaming } from 'openai/resources/completions';
import { plainTurns } from '../compatible/plain-turns.ts';
import { withContinuePrompt, isContinuation } from '../continue-prompt.ts';
import { hasCalls, instructionsIndex, withWireIds } from '../finished-calls.ts';
import type { ChatMessage, ProviderCall, ProviderTarget } from '../provider.ts';
import { chatImage, formatParams, stepMessages, toolParams } from './tools.ts';

export function chatBody(call: ProviderCall): ChatCompletionCreateParamsStreaming {
  const { target, model, settings, summary, tools, userId, maxTokens, seed } = call;
  const turns = chatTurns(call).flatMap((turn) => turnMessages(turn, target));
  const messages = summary ? withSummary(turns, summary, target) : turns;
  const body = {
    model,
    messages: target.isCompatible ? plainTurns(messages) : messages,
    stream: true,
    // Without it no usage is told.
    stream_options: { include_usage: true },
    ...personFor(target, userId),
    ...acceptedParams(paramsOf(settings), model),
    ...(tools && toolParams(call)),
    ...formatParams(call),
    ...(seed !== undefined && { seed }),
    ...(model.includes('gpt-4-vision') && hasImages(call) && { max_tokens: OLD_VISION_TOKENS, stop: undefined }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens + reasoningTokens(model) }),
  };
  // The configuration may add and drop any parameter; the provider validates them.
  const whole = withConfiguredParams({ ...body, ...call.relayed }, target);
  return withTokenLimit(whole, model) as unknown as ChatCompletionCreateParamsStreaming;
}

/** OpenAI and Azure find abuse by it. To other servers, of which some refuse it, nobody's id is told. */
function personFor({ isCompatible }: ProviderTarget, userId: string): { user?: string } {
  return isCompatible ? {} : { user: userId };
}

/** Tokens reserved for reasoning before the first word: it counts towards the answer's limit. */
const THOUGHT_TOKENS = 4096;

/** The subset of these parameters the model accepts. */
export function acceptedParams(params: Settings, model: string): Settings {
  const taken = endpointParams('openAI', model);
  return Object.fromEntries(Object.entries(params).filter(([name]) => name in taken));
}

export function reasoningTokens(model: string): number {
  return thinksFirst(model) ? THOUGHT_TOKENS : 0;
}

/** Sets the answer's token limit under the name the model expects. */
function withTokenLimit(body: Record<string, unknown>, model: string): Record<string, unknown> {
  if (!('max_tokens' in body) || !countsReasoning(model)) return body;
  const { max_tokens, ...rest } = body;
  return { max_completion_tokens: max_tokens, ...rest };
}

/** OpenAI's models without chat. Other "instruct" models do chat. */
const COMPLETES_ONLY = /^(?:text-davinci|davinci|babbage|gpt-3\.?5-turbo-instruct)/;

export function isCompletionModel(model: string): boolean {
  return COMPLETES_ONLY.test(model);
}

/** Separates the turns of a prompt and is the stop sequence: a model must not continue with the next question. */
const TURN = '||>';
/** The completions call defaults to 16 tokens. */
const COMPLETION_TOKENS = 1024;
const STOP_MAX = 4;

export function completionBody(call: ProviderCall): CompletionCreateParamsStreaming {
  const { target, model, settings, userId, maxTokens } = call;
  const { stop, ...params } = paramsOf(settings);
  const body = {
    model,
    prompt: promptOf(call),
    stream: true,
    stream_options: { include_usage: true },
    ...personFor(target, userId),
    max_tokens: maxTokens ?? COMPLETION_TOKENS,
    ...params,
    stop: [TURN, ...(Array.isArray(stop) ? stop : [])].slice(0, STOP_MAX),
  };
  return withConfiguredParams(body, target) as unknown as CompletionCreateParamsStreaming;
}

/** The settings that are parameters of the same name. */
function paramsOf(settings: Settings): Settings {
  const {
    chatGptLabel: _label,
    promptPrefix: _prompt,
    agentOptions: _agent,
    resendFiles: _files,
    imageDetail: _detail,
    pdfAsFile: _pdf,
    // Keys of ours; what the model is offered comes beside the settings.
    tools: _tools,
    ...params
  } = settings;
  return Object.fromEntries(Object.entries(params).filter(([name]) => !KEPT_FIELDS.includes(name)));
}

function withConfiguredParams(body: Record<string, unknown>, { quirks, addParams, dropParams }: ProviderTarget) {
  const whole = { ...body };
  for (const name of quirks?.rejectedParams ?? []) delete whole[name];
  Object.assign(whole, addParams);
  for (const name of dropParams) delete whole[name];
  return whole;
}

/**
 * The first vision model answers with 16 tokens by default, and refuses stop sequences (docs/rest-compat.md, Images).
 */
const OLD_VISION_TOKENS = 4000;

function hasImages({ messages }: ProviderCall): boolean {
  return messages.some(({ images }) => images !== undefined);
}

interface SystemMessage {
  role: 'system';
  name?: string;
  content: string;
}

function turnMessages(turn: ChatMessage | SystemMessage, target: ProviderTarget): object[] {
  if (turn.role === 'system') return [turn];
  if (turn.calls && hasCalls(turn)) return stepMessages(turn, target);
  const { images, files, calls: _calls, signatures: _signatures, ...message } = turn;
  return [images?.length || files?.length ? withImages(message, images, files) : message];
}

/** A question with images or files is a list of parts. */
function withImages(
  message: Pick<ChatMessage, 'role' | 'content'>,
  images: ChatMessage['images'] = [],
  files: ChatMessage['files'] = [],
): object {
  const text = message.content === '' ? [] : [{ type: 'text', text: message.content }];
  const imageParts = images.map(chatImage);
  const documents = files.map(({ name, mime, data }) => ({
    type: 'file',
    file: { filename: name, file_data: `data:${mime};base64,${data}` },
  }));
  return { ...message, content: [...text, ...documents, ...imageParts] };
}

/** The protocol accepts names of ASCII letters and digits, at most 64. */
const UNNAMEABLE = /[^A-Za-z0-9_-]/g;
const NAME_MAX = 64;

/** The messages with the ids of their calls, the model's name, a mark where the last goes on, and the instructions. */
function chatTurns({ messages, settings, target }: ProviderCall): (ChatMessage | SystemMessage)[] {
  const { chatGptLabel: label, promptPrefix: prefix } = settings;
  let turns = messages.some(({ calls }) => calls) ? withWireIds(messages) : [...messages];
  if (typeof label === 'string' && !wantsInstructionsFirst(target)) turns = withModelName(turns, label);
  if (target.quirks?.continueMode) turns = continued(turns, target.quirks.continueMode);
  return typeof prefix === 'string' && prefix.trim() !== '' ? withInstructions(turns, prefix, target) : turns;
}

/** Only OpenAI and Azure are known to take a system message anywhere. */
function wantsInstructionsFirst({ isCompatible, quirks }: ProviderTarget): boolean {
  return isCompatible === true || quirks?.instructions === 'first';
}

/** Adds the custom model name to the assistant's messages, for providers that are not strict about messages. */
function withModelName(messages: ChatMessage[], label: string): ChatMessage[] {
  const name = label.replaceAll(UNNAMEABLE, '').slice(0, NAME_MAX);
  if (name === '') return messages;
  return messages.map((message) => (message.role === 'assistant' ? { ...message, name } : message));
}

function continued(
  messages: ChatMessage[],
  mode: NonNullable<ProviderTarget['quirks']>['continueMode'],
): ChatMessage[] {
  if (mode === 'prompt') return withContinuePrompt(messages);
  const isMarked = mode === 'prefix' && isContinuation(messages);
  return messages.map((message, index) =>
    isMarked && index === messages.length - 1 ? { ...message, prefix: true } : message,
  );
}

/**
 * Puts custom instructions just before the last message, where models follow them best, unless the provider wants them
 * first.
 */
function withInstructions(
  messages: ChatMessage[],
  prefix: string,
  target: ProviderTarget,
): (ChatMessage | SystemMessage)[] {
  const content = `Instructions:\n${prefix}`;
  if (wantsInstructionsFirst(target)) return [{ role: 'system', content }, ...messages];
  const at = instructionsIndex(messages);
  return [...messages.slice(0, at), { role: 'system', name: 'instructions', content }, ...messages.slice(at)];
}

/** Puts the summary in place of the messages it covers; a provider that accepts one system message gets both in it. */
function withSummary(messages: object[], summary: string, target: ProviderTarget): object[] {
  const [first, ...rest] = messages;
  const isJoined = wantsInstructionsFirst(target) && first && 'role' in first && first.role === 'system';
  if (!isJoined || !('content' in first)) return [{ role: 'system', content: summary }, ...messages];
  return [{ ...first, content: `${String(first.content)}\n\n${summary}` }, ...rest];
}

function promptOf({ messages, summary, settings: { promptPrefix, chatGptLabel } }: ProviderCall): string {
  const assistant = typeof chatGptLabel === 'string' && chatGptLabel !== '' ? chatGptLabel : 'Assistant';
  const instructions =
    typeof promptPrefix === 'string' && promptPrefix.trim() !== '' ? [`Instructions:\n${promptPrefix}`] : [];
  const before = summary ? [`Instructions:\n${summary}`] : [];
  const turns = messages.map(({ role, content }) => `${role === 'user' ? 'User' : assistant}:\n${content}`);
  const response = isContinuation(messages) ? [] : [`${assistant}:\n`];
  return [...instructions, ...before, ...turns, ...response].map((block) => `${TURN}${block}`).join('\n\n');
}
