// Builds request bodies in OpenAI's protocol (docs/rest-compat.md, Provider requests).
import type { Settings } from '@parley/schema/catalog/params';
import { KEPT_FIELDS } from '@parley/schema/settings/settings';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { CompletionCreateParamsStreaming } from 'openai/resources/completions';
import { withContinuePrompt, isContinuation } from '../continue-prompt.ts';
import { hasCalls, instructionsIndex, withWireIds } from '../finished-calls.ts';
import type { ChatMessage, ProviderCall, ProviderTarget } from '../provider.ts';
import { acceptedParams, withTokenLimit, reasoningTokens } from './reasoning-models.ts';
import { chatImage, stepMessages, toolParams } from './tools.ts';

export function chatBody(call: ProviderCall): ChatCompletionCreateParamsStreaming {
  const { target, model, settings, messages, userId, maxTokens } = call;
  const body = {
    model,
    messages: withInstructions(
      continued(withModelName(withWireIds(messages), call), target),
      settings.promptPrefix,
      target,
    ).flatMap((turn) => turnMessages(turn, target)),
    stream: true,
    stream_options: { include_usage: true },
    user: userId,
    ...acceptedParams(paramsOf(settings), model),
    ...toolParams(call),
    ...(seesWithOldModel(call) && { max_tokens: OLD_VISION_TOKENS, stop: undefined }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens + reasoningTokens(model) }),
  };
  // The configuration may add and drop any parameter; the provider validates them.
  const whole = withConfiguredParams({ ...body, messages: withSummary(body.messages, call), ...call.relayed }, target);
  return withTokenLimit(whole, model) as unknown as ChatCompletionCreateParamsStreaming;
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
    user: userId,
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
  const refused = new Set(quirks?.rejectedParams);
  const remaining = Object.fromEntries(Object.entries(body).filter(([name]) => !refused.has(name)));
  const changed = { ...remaining, ...addParams };
  return Object.fromEntries(Object.entries(changed).filter(([name]) => !dropParams.includes(name)));
}

/**
 * The first vision model answers with 16 tokens by default, and refuses stop sequences (docs/rest-compat.md, Images).
 */
const OLD_VISION_TOKENS = 4000;

function seesWithOldModel({ model, messages }: ProviderCall): boolean {
  return model.includes('gpt-4-vision') && messages.some(({ images }) => images !== undefined);
}

interface SystemMessage {
  role: 'system';
  name?: string;
  content: string;
}

function turnMessages(turn: ChatMessage | SystemMessage, target: ProviderTarget): object[] {
  if (turn.role === 'system') return [turn];
  return hasCalls(turn) ? stepMessages(turn, target) : [withImages(turn)];
}

/** A question with images or files is a list of parts. */
function withImages({
  images = [],
  files = [],
  calls: _calls,
  signatures: _signatures,
  ...message
}: ChatMessage): object {
  if (images.length + files.length === 0) return message;
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

/** Adds the custom model name to the assistant's messages, unless the provider is strict about messages. */
function withModelName(messages: ChatMessage[], { settings, target }: ProviderCall): ChatMessage[] {
  const label = typeof settings.chatGptLabel === 'string' ? settings.chatGptLabel : '';
  const name = label.replaceAll(UNNAMEABLE, '').slice(0, NAME_MAX);
  if (name === '' || target.quirks?.instructions === 'first') return messages;
  return messages.map((message) => (message.role === 'assistant' ? { ...message, name } : message));
}

function continued(messages: ChatMessage[], { quirks }: ProviderTarget): ChatMessage[] {
  if (quirks?.continueMode === 'prompt') return withContinuePrompt(messages);
  const isMarked = quirks?.continueMode === 'prefix' && isContinuation(messages);
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
  prefix: unknown,
  { quirks }: ProviderTarget,
): (ChatMessage | SystemMessage)[] {
  if (typeof prefix !== 'string' || prefix.trim() === '') return messages;
  const content = `Instructions:\n${prefix}`;
  if (quirks?.instructions === 'first') return [{ role: 'system', content }, ...messages];
  const at = instructionsIndex(messages);
  return [...messages.slice(0, at), { role: 'system', name: 'instructions', content }, ...messages.slice(at)];
}

/** Puts the summary in place of the messages it covers; a provider that accepts one system message gets both in it. */
function withSummary(messages: object[], { summary, target }: ProviderCall): object[] {
  if (!summary) return messages;
  const [first, ...rest] = messages;
  const isJoined = target.quirks?.instructions === 'first' && first && 'role' in first && first.role === 'system';
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
