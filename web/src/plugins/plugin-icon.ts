import {
  IconDatabaseSearch,
  IconMathFunction,
  IconPhoto,
  IconTerminal2,
  IconTool,
  IconWorldSearch,
  type Icon,
} from '@tabler/icons-react';

const OF_KEY: Readonly<Record<string, Icon>> = {
  traversaal_search: IconWorldSearch,
  google: IconWorldSearch,
  serpapi: IconWorldSearch,
  tavily_search_results_json: IconWorldSearch,
  'web-browser': IconWorldSearch,
  wolfram: IconMathFunction,
  e2b_code_interpreter: IconTerminal2,
  codesherpa_tools: IconTerminal2,
  CodeBrew: IconTerminal2,
  'dall-e': IconPhoto,
  dalle: IconPhoto,
  'stable-diffusion': IconPhoto,
  'azure-ai-search': IconDatabaseSearch,
};

/** The sign of a service by what it does: the images of their makers say nothing to most people. */
export function pluginIcon(key: string): Icon {
  return (Object.hasOwn(OF_KEY, key) && OF_KEY[key]) || IconTool;
}
