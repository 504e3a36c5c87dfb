import type { Config } from '../config.ts';

type Named = 'openAI' | 'azureOpenAI' | 'google' | 'anthropic' | 'bingAI' | 'chatGPTBrowser';

type Whose = { from: 'server' | 'user' };

/** What turns each built-in endpoint on. */
const SWITCHES: Record<Named, string> = {
  openAI: 'OPENAI_API_KEY is not set',
  azureOpenAI: 'neither AZURE_API_KEY nor endpoints.azureOpenAI of the yaml file is set',
  google: 'neither GOOGLE_KEY nor the key file of a service account is there',
  anthropic: 'ANTHROPIC_API_KEY is not set',
  bingAI: 'BINGAI_TOKEN is not set',
  chatGPTBrowser: 'CHATGPT_TOKEN is not set',
};

/** What can be said of a built-in endpoint before anyone asks it. */
export interface Readiness {
  endpoint: Named;
  /** `needs_key`: of its users. */
  state: 'ready' | 'needs_key' | 'off';
  /** Of one that is off, in English, for whoever runs the server. */
  why: string | null;
}

/** The built-in endpoints, those that are off too. */
export function listReadiness({ endpoints }: Config): Readiness[] {
  const { openAI, azureOpenAI, google, anthropic, bingAI, chatGPTBrowser, offered } = endpoints;
  const builtIn: [Named, boolean, string | undefined][] = [
    ['openAI', openAI.enabled, openAI.enabled ? whoBrings(openAI) : undefined],
    ['azureOpenAI', azureOpenAI.enabled, azureOpenAI.enabled ? azureOpenAI.places.from : undefined],
    ['google', google.enabled, google.enabled ? google.keys.from : undefined],
    ['anthropic', anthropic.enabled, anthropic.enabled ? anthropic.key.from : undefined],
    ['bingAI', bingAI.enabled, bingAI.enabled ? bingAI.key.from : undefined],
    ['chatGPTBrowser', chatGPTBrowser.enabled, chatGPTBrowser.enabled ? chatGPTBrowser.key.from : undefined],
  ];
  return builtIn.map(([endpoint, isOn, from]) => {
    if (isOn) return { endpoint, state: from === 'user' ? 'needs_key' : 'ready', why: null };
    return { endpoint, state: 'off', why: offered.includes(endpoint) ? SWITCHES[endpoint] : 'ENDPOINTS leaves it out' };
  });
}

/** For the log of a start: which endpoints are ready, which wait for users' keys, and why the others are off. */
export function readinessOf(config: Config): string {
  const builtIn = listReadiness(config).map(({ endpoint, state, why }) =>
    state === 'off' ? `${endpoint} is off: ${why}` : on(endpoint, state === 'needs_key'),
  );
  const custom = config.endpoints.custom.map((entry) => on(entry.name, whoBrings(entry) === 'user'));
  return [...builtIn, ...custom].join('; ');
}

/** Who brings the address brings the key. */
function whoBrings({ key, baseURL }: { key: Whose; baseURL: Whose | undefined }): Whose['from'] {
  return baseURL?.from === 'user' ? 'user' : key.from;
}

function on(name: string, needsKey: boolean): string {
  return needsKey ? `${name} is ready for users who bring a key` : `${name} is ready`;
}
