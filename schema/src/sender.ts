import { endpointTable, type EndpointType } from './endpoints.ts';
import { isJailbroken } from './jailbreak.ts';
import type { Settings } from './params.ts';

/** Who the reply is from: a custom label, else what the model is commonly called (E.1 of the REST facts). */
export function senderOf(chat: {
  endpointType: EndpointType;
  model: string | null;
  settings: Settings;
  modelDisplayLabel?: string | undefined;
}): string {
  const { endpointType, settings, modelDisplayLabel } = chat;
  const model = chat.model ?? '';
  const label = settings.chatGptLabel ?? settings.modelLabel;
  if (typeof label === 'string' && label !== '') return label;
  switch (endpointType) {
    case 'openAI':
    case 'azureOpenAI':
    case 'gptPlugins':
    case 'chatGPTBrowser':
      return knownFamily(model) ?? endpointTable[endpointType].label;
    case 'custom':
      return knownFamily(model) ?? modelDisplayLabel ?? 'AI';
    case 'bingAI':
      return isJailbroken(chat) ? 'Sydney' : 'BingAI';
    case 'anthropic':
      return 'Claude';
    case 'google':
      return model.includes('gemini') ? 'Gemini' : model.includes('code') ? 'Codey' : 'PaLM2';
    case 'assistants':
      return 'Assistant';
  }
}

function knownFamily(model: string): string | null {
  if (model.includes('mistral')) return 'Mistral';
  if (model.includes('gpt-3')) return 'GPT-3.5';
  if (model.includes('gpt-4')) return 'GPT-4';
  return null;
}
