// Azure OpenAI: OpenAI's protocol, with a deployment in place of a model.
import { defineProvider } from '../define-provider.ts';
import { openAIPicture } from '../openai/pictures.ts';
import { openAIStream } from '../openai/stream.ts';
import { azureEndpoint } from './endpoint.ts';
import { azureEnv, configureAzure } from './settings.ts';

export const azureOpenAI = defineProvider({
  type: 'azureOpenAI',
  env: azureEnv,
  disabledReason: 'neither AZURE_API_KEY nor endpoints.azureOpenAI of the yaml file is set',
  configure: configureAzure,
  // Azure has no list of models: they are always named.
  savedVariables: ({ apiKey, azure, models }) => ({
    AZURE_API_KEY: apiKey,
    AZURE_OPENAI_API_INSTANCE_NAME: azure?.instanceName,
    AZURE_OPENAI_API_DEPLOYMENT_NAME: azure?.deploymentName,
    AZURE_OPENAI_API_VERSION: azure?.version,
    AZURE_OPENAI_MODELS: models.length > 0 ? [...models] : undefined,
  }),
  keySource: ({ places }) => (places.from === 'user' ? 'user' : 'server'),
  endpoint: azureEndpoint,
  stream: openAIStream('azureOpenAI'),
  pictures: openAIPicture,
});
