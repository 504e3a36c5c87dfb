// Plugins: OpenAI's or Azure's models with tools, as clients of the plugin store ask them.
import { flag, list } from '../../config/env/env-readers.ts';
import { azureEndpoint } from '../azure/endpoint.ts';
import { azureEnv, configureAzure, type AzureEntry } from '../azure/settings.ts';
import { defineProvider, type ConfigSources } from '../define-provider.ts';
import type { EndpointDefinition, EndpointDeps, ModelOffer } from '../endpoint.ts';
import type { ModelSource } from '../model-source.ts';
import { openAIEndpoint } from '../openai/endpoint.ts';
import { configureOpenAI, keySourceOf, openAIEnv, type OpenAIEntry } from '../openai/settings.ts';
import { openAIStream } from '../openai/stream.ts';

type PluginsEntry = {
  order: number;
  /** Fixed list; those of the asked endpoint that take tools when undefined. */
  models: string[] | undefined;
  asks: { azure: false; entry: OpenAIEntry } | { azure: true; entry: AzureEntry };
};

const NAME = 'gptPlugins';
const env = { ...openAIEnv, ...azureEnv, PLUGIN_MODELS: list, PLUGINS_USE_AZURE: flag };

export const gptPlugins = defineProvider({
  type: NAME,
  env,
  disabledReason: 'neither OpenAI nor Azure OpenAI is set up',
  configure,
  keySource: ({ asks }) => {
    if (!asks.azure) return keySourceOf(asks.entry);
    return asks.entry.places.from === 'user' ? 'user' : 'server';
  },
  endpoint,
  stream: openAIStream(NAME),
});

/** What is wrong with Azure's settings is reported by its own endpoint. */
function configure(from: ConfigSources<typeof env>): PluginsEntry | null {
  const { order, yaml } = from;
  const models = from.env.PLUGIN_MODELS;
  const openAI = configureOpenAI(from);
  const wantsAzure = from.env.PLUGINS_USE_AZURE ?? yaml.endpoints?.azureOpenAI?.plugins ?? false;
  if (openAI && !wantsAzure) return { order, models, asks: { azure: false, entry: openAI } };
  const azure = configureAzure(from);
  if (azure) return { order, models, asks: { azure: true, entry: azure } };
  return openAI && { order, models, asks: { azure: false, entry: openAI } };
}

function endpoint({ order, models, asks }: PluginsEntry, deps: EndpointDeps): EndpointDefinition {
  const asked = asks.azure ? azureEndpoint(asks.entry, deps) : openAIEndpoint(asks.entry, deps);
  const { userProvide, userProvideURL } = asked.config;
  return {
    ...asked,
    name: NAME,
    config: {
      availableAgents: ['classic', 'functions'],
      ...(userProvide !== undefined && { userProvide }),
      ...(userProvideURL !== undefined && { userProvideURL }),
      azure: asks.azure,
      order,
    },
    models: models ? { known: models, source: null } : withToolsOnly(asked.models),
    target: async (userId, model) => ({ ...(await asked.target(userId, model)), endpoint: NAME }),
  };
}

/** Completion models and the first snapshots take no tools. */
const WITHOUT_TOOLS = /text-davinci|instruct|0613|0314|0301/;

function withToolsOnly({ known, source, ...offer }: ModelOffer): ModelOffer {
  const filtered = (one: ModelSource): ModelSource => ({
    ...one,
    read: (reply) => one.read(reply).filter(({ id }) => !WITHOUT_TOOLS.test(id)),
  });
  const ofUser = typeof source === 'function' ? source : null;
  return {
    ...offer,
    known: known.filter((model) => !WITHOUT_TOOLS.test(model)),
    source: ofUser
      ? async (userId) => {
          const one = await ofUser(userId);
          return one && filtered(one);
        }
      : source && typeof source !== 'function'
        ? filtered(source)
        : null,
  };
}
