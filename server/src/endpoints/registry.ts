import type { Config } from '../config.ts';
import { refuse } from '../errors.ts';
import type { Endpoints, Surroundings } from './endpoint.ts';
import { anthropicEndpoint } from './offered/anthropic.ts';
import { azureEndpoint } from './offered/azure.ts';
import { bingAIEndpoint } from './offered/bing-ai.ts';
import { chatGPTBrowserEndpoint } from './offered/chatgpt-browser.ts';
import { customEndpoint } from './offered/custom.ts';
import { demoEndpoint, type Demo } from './offered/demo.ts';
import { googleEndpoint } from './offered/google.ts';
import { ollamaEndpoint, type Ollama } from './offered/ollama.ts';
import { openAIEndpoint } from './offered/openai.ts';

/** What people can pick: what is configured, and what was found where nothing is. */
export function createEndpoints(
  config: Config,
  { demo, ollama }: { demo: Demo | null; ollama: Ollama | null },
  surroundings: Surroundings,
): Endpoints {
  const { openAI, azureOpenAI, google, anthropic, bingAI, chatGPTBrowser, custom } = config.endpoints;
  const endpoints = [
    ...(openAI.enabled ? [openAIEndpoint(openAI, surroundings)] : []),
    ...(azureOpenAI.enabled ? [azureEndpoint(azureOpenAI, surroundings)] : []),
    ...(google.enabled ? [googleEndpoint(google, surroundings)] : []),
    ...(anthropic.enabled ? [anthropicEndpoint(anthropic, surroundings)] : []),
    ...(bingAI.enabled ? [bingAIEndpoint(bingAI, surroundings)] : []),
    ...(chatGPTBrowser.enabled ? [chatGPTBrowserEndpoint(chatGPTBrowser, surroundings)] : []),
    ...custom.map((entry) => customEndpoint(entry, surroundings)),
    ...(ollama ? [ollamaEndpoint(ollama, surroundings)] : []),
    ...(demo ? [demoEndpoint(demo)] : []),
  ].toSorted((a, b) => a.config.order - b.config.order);
  return {
    list: () => endpoints,
    assert: (name) =>
      endpoints.find((endpoint) => endpoint.name === name) ?? refuse({ type: 'not_found', what: 'endpoint' }),
  };
}

/** Whether the configuration offers nothing that could be asked. */
export function offersNothing({ endpoints }: Config): boolean {
  const { openAI, azureOpenAI, google, anthropic, bingAI, chatGPTBrowser, custom } = endpoints;
  const builtIn = [openAI, azureOpenAI, google, anthropic, bingAI, chatGPTBrowser];
  return custom.length === 0 && !builtIn.some(({ enabled }) => enabled);
}
