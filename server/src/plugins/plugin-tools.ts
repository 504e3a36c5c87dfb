// The tools of each plugin, by its key.
import type { CreatePluginTools } from './plugin-tool.ts';
import { createAzureSearchTools } from './tools/azure-ai-search.ts';
import { createCodeBrewTools } from './tools/codebrew.ts';
import { createCodesherpaTools } from './tools/codesherpa.ts';
import { createDallE2Tools } from './tools/dall-e-2.ts';
import { createDallE3Tools } from './tools/dall-e-3.ts';
import { createE2bTools } from './tools/e2b-code-interpreter.ts';
import { createGoogleTools } from './tools/google.ts';
import { createSerpapiTools } from './tools/serpapi.ts';
import { createStableDiffusionTools } from './tools/stable-diffusion.ts';
import { createTavilyTools } from './tools/tavily.ts';
import { createTraversaalTools } from './tools/traversaal.ts';
import { createWebBrowserTools } from './tools/web-browser.ts';
import { createWolframTools } from './tools/wolfram.ts';
import { createZapierTools } from './tools/zapier.ts';

export const PLUGIN_TOOLS: Readonly<Record<string, CreatePluginTools>> = {
  traversaal_search: createTraversaalTools,
  google: createGoogleTools,
  wolfram: createWolframTools,
  e2b_code_interpreter: createE2bTools,
  codesherpa_tools: createCodesherpaTools,
  'web-browser': createWebBrowserTools,
  serpapi: createSerpapiTools,
  'dall-e': createDallE2Tools,
  dalle: createDallE3Tools,
  tavily_search_results_json: createTavilyTools,
  'stable-diffusion': createStableDiffusionTools,
  zapier: createZapierTools,
  'azure-ai-search': createAzureSearchTools,
  CodeBrew: createCodeBrewTools,
};
