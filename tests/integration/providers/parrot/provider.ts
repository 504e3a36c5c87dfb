// A made-up provider with a protocol of its own, defined as any other: one POST, an answer of lines `say …` and `bye`.
import { PARROT } from './row.ts';
import { credential, httpUrl } from '@parley/server/config/env/env-readers';
import { Refusal } from '@parley/server/platform/errors';
import type { Delta } from '@parley/server/generation/delta';
import { defineProvider } from '@parley/server/providers/define-provider';
import { reasonOfFailure } from '@parley/server/providers/failure';
import type { ProviderCall } from '@parley/server/providers/provider';
import { readLines, post } from '@parley/server/providers/sse-client';
import { bareKeyIn } from '@parley/server/providers/user-key';

export const parrot = defineProvider({
  type: PARROT,
  env: { PARROT_KEY: credential, PARROT_URL: httpUrl },
  disabledReason: 'PARROT_KEY is not set',
  configure({ env, order, titlesEnabled }) {
    const { PARROT_KEY: key, PARROT_URL: url } = env;
    if (!key || !url) return null;
    const titles = { enabled: titlesEnabled, method: 'completion' as const, model: { use: 'default' as const } };
    return { order, key, url, titles };
  },
  keySource: ({ key }) => (key === 'user_provided' ? 'user' : 'server'),
  endpoint: ({ order, key, url, titles }, { userKey }) => ({
    name: PARROT,
    config: { userProvide: key === 'user_provided', order },
    titles,
    models: {
      known: ['grey'],
      source: {
        url: `${url}/birds`,
        headers: {},
        read: (answer) => (answer as string[]).map((id) => ({ id, window: 900 })),
      },
    },
    async target(userId) {
      const apiKey = key === 'user_provided' ? bareKeyIn(await userKey(userId, PARROT), PARROT) : key;
      return { endpoint: PARROT, baseURL: url, apiKey, headers: {}, addParams: {}, dropParams: [] };
    },
  }),
  stream,
  titleModel: { model: 'macaw', maxTokens: 7 },
});

async function* stream(
  { target, model, settings, messages, maxTokens }: ProviderCall,
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  try {
    const response = await post({
      url: `${target.baseURL}/squawk`,
      headers: { 'x-parrot-key': target.apiKey },
      body: JSON.stringify({ model, temperature: settings.temperature, heard: messages.at(-1)?.content, maxTokens }),
      signal,
      endpoint: target.endpoint,
    });
    for await (const line of readLines(response)) {
      if (line.startsWith('say ')) yield { type: 'text', text: line.slice(4) };
      if (line === 'bye') yield { type: 'finish', reason: 'stop' };
    }
  } catch (error) {
    throw new Refusal(reasonOfFailure(error, target.endpoint));
  }
}
