import { asFields } from '@parley/schema/json';
import { withoutTrailingSlash } from '../../config/addresses.ts';
import { readCredential, type Credential } from '../../config/credentials.ts';
import { credential, httpUrl, list } from '../../config/env/env-readers.ts';
import type { Titles } from '../../config/titles.ts';
import { defineProvider } from '../define-provider.ts';
import type { EndpointDefinition, EndpointDeps } from '../endpoint.ts';
import { NOTHING_ADDED, type ProviderTarget } from '../provider.ts';
import { bareKeyIn } from '../user-key.ts';
import { streamChatGPTBrowser } from './stream.ts';
import { readShortJson } from '../bounded-body.ts';
import { post } from '../sse-client.ts';

interface ChatGPTBrowserEntry {
  order: number;
  /** An access token in place of a key. */
  key: Credential;
  /** The whole address of a conversation; ChatGPT's own when undefined. */
  conversationURL: string | undefined;
  /** Fixed list; the known models when undefined. */
  models: string[] | undefined;
  titles: Titles;
}

const URL = 'https://chat.openai.com/backend-api/conversation';
const NAME = 'chatGPTBrowser';
const MODELS = ['text-davinci-002-render-sha', 'gpt-4'];

export const chatGPTBrowser = defineProvider({
  type: NAME,
  env: { CHATGPT_TOKEN: credential, CHATGPT_MODELS: list, CHATGPT_REVERSE_PROXY: httpUrl },
  disabledReason: 'CHATGPT_TOKEN is not set',
  configure({ env, order, titlesEnabled }): ChatGPTBrowserEntry | null {
    if (!env.CHATGPT_TOKEN) return null;
    return {
      order,
      key: readCredential(env.CHATGPT_TOKEN),
      conversationURL: env.CHATGPT_REVERSE_PROXY && withoutTrailingSlash(env.CHATGPT_REVERSE_PROXY),
      models: env.CHATGPT_MODELS,
      titles: { enabled: titlesEnabled, method: 'completion', model: { use: 'current' } },
    };
  },
  keySource: ({ key }) => key.from,
  endpoint,
  stream: streamChatGPTBrowser,
  restPath: { isLenient: true },
});

function endpoint(entry: ChatGPTBrowserEntry, { userKey }: EndpointDeps): EndpointDefinition {
  const { key, conversationURL: baseURL = URL } = entry;
  return {
    name: NAME,
    config: { userProvide: key.from === 'user', order: entry.order },
    titles: entry.titles,
    models: { known: entry.models ?? MODELS, source: null },
    target,
    async title({ userId, model, ids }, signal) {
      const { chatGPTConversationId = '', chatGPTMessageId = '' } = ids;
      const conversation = {
        conversationId: String(chatGPTConversationId),
        messageId: String(chatGPTMessageId),
        model,
      };
      return conversationTitle(await target(userId), conversation, signal);
    },
  };

  async function target(userId: string): Promise<ProviderTarget> {
    const apiKey = key.from === 'server' ? key.apiKey : bareKeyIn(await userKey(userId, NAME), NAME);
    return { endpoint: NAME, baseURL, apiKey, ...NOTHING_ADDED };
  }
}

/**
 * Asks ChatGPT for the title of its conversation.
 * @throws Refusal with the reason when it gives none
 */
async function conversationTitle(
  { baseURL, apiKey, endpoint }: ProviderTarget,
  { conversationId, messageId, model }: { conversationId: string; messageId: string; model: string },
  signal: AbortSignal,
): Promise<string> {
  const response = await post({
    url: `${baseURL}/gen_title/${encodeURIComponent(conversationId)}`,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message_id: messageId, model }),
    signal,
    endpoint,
  });
  const { title } = asFields(await readShortJson(response));
  return typeof title === 'string' ? title : '';
}
