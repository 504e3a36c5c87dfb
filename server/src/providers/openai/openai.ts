import { toBaseUrl } from '../../config/addresses.ts';
import { defineProvider } from '../define-provider.ts';
import { fixedModels } from '../saved/saved-provider.ts';
import { openAIEndpoint } from './endpoint.ts';
import { configureOpenAI, keySourceOf, openAIEnv } from './settings.ts';
import { openAIPicture } from './pictures.ts';
import { openAIStream } from './stream.ts';

export const openAI = defineProvider({
  type: 'openAI',
  env: openAIEnv,
  disabledReason: 'OPENAI_API_KEY is not set',
  configure: configureOpenAI,
  savedVariables: ({ apiKey, ...saved }) => ({ OPENAI_API_KEY: apiKey, OPENAI_MODELS: fixedModels(saved) }),
  warnings({ OPENAI_REVERSE_PROXY: url }) {
    const isUsual = url === undefined || !URL.canParse(url) || toBaseUrl(url).endsWith('/v1');
    return isUsual ? [] : ['OPENAI_REVERSE_PROXY does not end in /v1; it is used as it is.'];
  },
  keySource: keySourceOf,
  endpoint: openAIEndpoint,
  stream: openAIStream('openAI'),
  pictures: openAIPicture,
});
