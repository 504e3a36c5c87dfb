// What OpenAI's wire is sent (E.1 of the REST facts).
import type { Settings } from '@parley/schema/params';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { CompletionCreateParamsStreaming } from 'openai/resources/completions';
import { askingToGoOn, isGoingOn } from '../going-on.ts';
import type { ChatMessage, ProviderCall, Upstream } from '../provider.ts';
import { askable, bounded, roomForThoughts } from './thinking-models.ts';

export function chatBody(call: ProviderCall): ChatCompletionCreateParamsStreaming {
  const { upstream, model, settings, messages, userId, maxTokens } = call;
  const body = {
    model,
    messages: withInstructions(goingOn(named(messages, call), upstream), settings.promptPrefix, upstream),
    stream: true,
    stream_options: { include_usage: true },
    user: userId,
    ...askable(paramsOf(settings), model),
    ...(maxTokens !== undefined && { max_tokens: maxTokens + roomForThoughts(model) }),
  };
  // The configuration may add and drop what it likes: the provider judges it.
  const whole = adjusted({ ...body, messages: withSummary(body.messages, call) }, upstream);
  return bounded(whole, model) as unknown as ChatCompletionCreateParamsStreaming;
}

/** Stands before each turn of a prompt and ends the answer: a model must not go on with the next question. */
const TURN = '||>';
/** The completions call gives 16 tokens to whoever does not ask for more. */
const COMPLETION_TOKENS = 1024;
const STOP_MAX = 4;

export function completionBody(call: ProviderCall): CompletionCreateParamsStreaming {
  const { upstream, model, settings, userId, maxTokens } = call;
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
  return adjusted(body, upstream) as unknown as CompletionCreateParamsStreaming;
}

/** The settings that are parameters by the same name. */
function paramsOf(settings: Settings): Settings {
  const {
    chatGptLabel: _label,
    promptPrefix: _prompt,
    resendFiles: _files,
    imageDetail: _detail,
    ...params
  } = settings;
  return params;
}

function adjusted(body: Record<string, unknown>, { particulars, addParams, dropParams }: Upstream) {
  const refused = new Set(particulars?.refuses);
  const kept = Object.fromEntries(Object.entries(body).filter(([name]) => !refused.has(name)));
  const changed = { ...kept, ...addParams };
  return Object.fromEntries(Object.entries(changed).filter(([name]) => !dropParams.includes(name)));
}

/** As the wire takes names: letters and figures of ASCII, at most 64. */
const UNNAMEABLE = /[^A-Za-z0-9_-]/g;
const NAME_MAX = 64;

/** A model that was given a name hears it with its answers, unless the provider is one that is strict about messages. */
function named(messages: ChatMessage[], { settings, upstream }: ProviderCall): ChatMessage[] {
  const label = typeof settings.chatGptLabel === 'string' ? settings.chatGptLabel : '';
  const name = label.replaceAll(UNNAMEABLE, '').slice(0, NAME_MAX);
  if (name === '' || upstream.particulars?.instructions === 'first') return messages;
  return messages.map((message) => (message.role === 'assistant' ? { ...message, name } : message));
}

function goingOn(messages: ChatMessage[], { particulars }: Upstream): object[] {
  if (particulars?.goesOn === 'asked') return askingToGoOn(messages);
  const isMarked = particulars?.goesOn === 'by-mark' && isGoingOn(messages);
  return isMarked ? [...messages.slice(0, -1), { ...messages.at(-1), prefix: true }] : messages;
}

/** Custom instructions stand just before the last message, where models heed them best, unless they must be first. */
function withInstructions(messages: object[], prefix: unknown, { particulars }: Upstream) {
  if (typeof prefix !== 'string' || prefix.trim() === '') return messages;
  const content = `Instructions:\n${prefix}`;
  if (particulars?.instructions === 'first') return [{ role: 'system', content }, ...messages];
  return [...messages.slice(0, -1), { role: 'system', name: 'instructions', content }, ...messages.slice(-1)];
}

/** A summary stands where what it sums up stood; a provider that takes one system message gets both in it. */
function withSummary(messages: object[], { summary, upstream }: ProviderCall): object[] {
  if (!summary) return messages;
  const [first, ...rest] = messages;
  const isJoined =
    upstream.particulars?.instructions === 'first' && first && 'role' in first && first.role === 'system';
  if (!isJoined || !('content' in first)) return [{ role: 'system', content: summary }, ...messages];
  return [{ ...first, content: `${String(first.content)}\n\n${summary}` }, ...rest];
}

function promptOf({ messages, summary, settings: { promptPrefix, chatGptLabel } }: ProviderCall): string {
  const assistant = typeof chatGptLabel === 'string' && chatGptLabel !== '' ? chatGptLabel : 'Assistant';
  const instructions =
    typeof promptPrefix === 'string' && promptPrefix.trim() !== '' ? [`Instructions:\n${promptPrefix}`] : [];
  const before = summary ? [`Instructions:\n${summary}`] : [];
  const turns = messages.map(({ role, content }) => `${role === 'user' ? 'User' : assistant}:\n${content}`);
  const answer = isGoingOn(messages) ? [] : [`${assistant}:\n`];
  return [...instructions, ...before, ...turns, ...answer].map((block) => `${TURN}${block}`).join('\n\n');
}
