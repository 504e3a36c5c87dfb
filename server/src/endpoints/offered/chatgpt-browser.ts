import type { Config } from '../../config.ts';
import { refuse } from '../../errors.ts';
import { conversationTitle } from '../chatgpt-browser/title.ts';
import { CHATGPT_MODELS } from '../default-models.ts';
import type { Endpoint, Surroundings } from '../endpoint.ts';
import { createModelList } from '../models.ts';
import { providers } from '../providers.ts';
import type { Upstream } from '../provider.ts';

const URL = 'https://chat.openai.com/backend-api/conversation';
const NAME = 'chatGPTBrowser';

type Entry = Extract<Config['endpoints']['chatGPTBrowser'], { enabled: true }>;

export function chatGPTBrowserEndpoint(entry: Entry, { userKey, onNotice }: Surroundings): Endpoint {
  const { key, conversationURL: baseURL = URL } = entry;
  return {
    name: NAME,
    type: 'chatGPTBrowser',
    config: { userProvide: key.from === 'user', order: entry.order },
    titles: entry.titles,
    provider: providers.chatGPTBrowser,
    ...createModelList(NAME, entry.models ?? CHATGPT_MODELS, null, onNotice),
    upstream,
    async title({ userId, model, ids }, signal) {
      const { chatGPTConversationId = '', chatGPTMessageId = '' } = ids;
      const conversation = {
        conversationId: String(chatGPTConversationId),
        messageId: String(chatGPTMessageId),
        model,
      };
      return conversationTitle(await upstream(userId), conversation, signal);
    },
  };

  async function upstream(userId: string): Promise<Upstream> {
    const apiKey = key.from === 'server' ? key.apiKey : tokenIn(await userKey(userId, NAME));
    return { endpoint: NAME, baseURL, apiKey, headers: {}, addParams: {}, dropParams: [] };
  }
}

/** It is pasted, perhaps with a line break at its end, and goes into a header. */
function tokenIn(value: string): string {
  const token = value.trim();
  return /^[\x21-\x7e]+$/.test(token) ? token : refuse({ type: 'invalid_user_key', endpoint: NAME });
}
