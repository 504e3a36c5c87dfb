import { anthropic } from './anthropic.ts';
import { bingAI } from './bing-ai.ts';
import { chatGPTBrowser } from './chatgpt-browser.ts';
import { cohere } from './cohere.ts';
import { google } from './google.ts';
import { openAI } from './openai.ts';
import type { Provider } from './provider.ts';

/** The endpoint types that can be asked. */
export type AskableType = 'openAI' | 'azureOpenAI' | 'google' | 'anthropic' | 'bingAI' | 'chatGPTBrowser' | 'custom';

export const providers = {
  openAI,
  azureOpenAI: openAI,
  google,
  anthropic,
  bingAI,
  chatGPTBrowser,
  custom: openAI,
  /** A custom endpoint that does not speak OpenAI's wire. */
  cohere,
} satisfies Record<AskableType | 'cohere', Provider>;
