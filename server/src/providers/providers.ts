// All providers, in the order in which the startup log and the settings list them.
import { anthropic } from './anthropic/anthropic.ts';
import { assistants } from './assistants/assistants.ts';
import { azureOpenAI } from './azure/azure.ts';
import { bingAI } from './bing-ai/bing-ai.ts';
import { chatGPTBrowser } from './chatgpt-browser/chatgpt-browser.ts';
import { custom } from './custom/custom.ts';
import { google } from './google/google.ts';
import { openAI } from './openai/openai.ts';

export const PROVIDERS = [openAI, assistants, azureOpenAI, google, anthropic, bingAI, chatGPTBrowser, custom] as const;
