import type { Config } from '../config.ts';

type Named = 'openAI' | 'azureOpenAI' | 'google' | 'anthropic' | 'bingAI' | 'chatGPTBrowser';

/** What turns each built-in endpoint on. */
const SWITCHES: Record<Named, string> = {
  openAI: 'OPENAI_API_KEY is not set',
  azureOpenAI: 'neither AZURE_API_KEY nor endpoints.azureOpenAI of the yaml file is set',
  google: 'neither GOOGLE_KEY nor the key file of a service account is there',
  anthropic: 'ANTHROPIC_API_KEY is not set',
  bingAI: 'BINGAI_TOKEN is not set',
  chatGPTBrowser: 'CHATGPT_TOKEN is not set',
};

/** For the log of a start: which endpoints are ready, which wait for users' keys, and why the others are off. */
export function readinessOf({ endpoints }: Config): string {
  const { openAI, azureOpenAI, google, anthropic, bingAI, chatGPTBrowser, custom, offered } = endpoints;
  const builtIn: [Named, boolean, string | undefined][] = [
    ['openAI', openAI.enabled, openAI.enabled ? openAI.key.from : undefined],
    ['azureOpenAI', azureOpenAI.enabled, azureOpenAI.enabled ? azureOpenAI.places.from : undefined],
    ['google', google.enabled, google.enabled ? google.keys.from : undefined],
    ['anthropic', anthropic.enabled, anthropic.enabled ? anthropic.key.from : undefined],
    ['bingAI', bingAI.enabled, bingAI.enabled ? bingAI.key.from : undefined],
    ['chatGPTBrowser', chatGPTBrowser.enabled, chatGPTBrowser.enabled ? chatGPTBrowser.key.from : undefined],
  ];
  const states = builtIn.map(([name, isOn, from]) =>
    isOn ? on(name, from) : `${name} is off: ${offered.includes(name) ? SWITCHES[name] : 'ENDPOINTS leaves it out'}`,
  );
  return [...states, ...custom.map(({ name, key }) => on(name, key.from))].join('; ');
}

function on(name: string, from: string | undefined): string {
  return from === 'user' ? `${name} is ready for users who bring a key` : `${name} is ready`;
}
