// What is known of the custom providers that the product names: how each departs from the wire it shares with OpenAI.
// A provider that is not here is taken to depart in nothing; a new one needs no row unless it does.
import type { Particulars } from './provider.ts';

export interface KnownProvider extends Particulars {
  /** Also how an endpoint may be called to be known, whatever its address. */
  name: string;
  /** The end of its host's name; null for one that people run themselves. */
  host: string | null;
  wire: 'openAI' | 'cohere';
  models: 'openAI' | 'ollama' | 'none';
  /** Wants to know the site that asks: in `HTTP-Referer` and `X-Title`. */
  isToldSite: boolean;
}

const ordinary: Omit<KnownProvider, 'name' | 'host'> = {
  wire: 'openAI',
  instructions: 'before-question',
  goesOn: 'by-itself',
  refuses: [],
  models: 'openAI',
  isToldSite: false,
};

export const KNOWN_PROVIDERS: readonly KnownProvider[] = [
  { ...ordinary, name: 'anyscale', host: 'anyscale.com' },
  { ...ordinary, name: 'apipie', host: 'apipie.ai' },
  { ...ordinary, name: 'cohere', host: 'cohere.ai', wire: 'cohere', models: 'none' },
  { ...ordinary, name: 'fireworks', host: 'fireworks.ai' },
  { ...ordinary, name: 'groq', host: 'groq.com' },
  // Tells its usage unasked, and takes no field that it does not know.
  {
    ...ordinary,
    name: 'mistral',
    host: 'mistral.ai',
    instructions: 'first',
    goesOn: 'by-mark',
    refuses: ['user', 'stream_options'],
  },
  { ...ordinary, name: 'ollama', host: null, models: 'ollama' },
  { ...ordinary, name: 'openrouter', host: 'openrouter.ai', isToldSite: true },
  // Wants questions and answers in turns, and one kind of penalty at most.
  {
    ...ordinary,
    name: 'perplexity',
    host: 'perplexity.ai',
    instructions: 'first',
    goesOn: 'asked',
    refuses: ['stop'],
    models: 'none',
  },
  { ...ordinary, name: 'shuttleai', host: 'shuttleai.app' },
  { ...ordinary, name: 'together.ai', host: 'together.xyz' },
];

/** The known provider at an address, else the one an endpoint is called after: `Mistral`, `Ollama at home`. */
export function knownProviderOf(name: string, url: string | null): KnownProvider | undefined {
  const host = url === null ? '' : new URL(url).hostname;
  const isAt = (known: string | null) => known !== null && (host === known || host.endsWith(`.${known}`));
  const called = name.toLowerCase();
  return (
    KNOWN_PROVIDERS.find((known) => isAt(known.host)) ??
    KNOWN_PROVIDERS.find((known) => called === known.name || called.startsWith(`${known.name} `)) ??
    (called.startsWith('ollama') ? KNOWN_PROVIDERS.find((known) => known.name === 'ollama') : undefined)
  );
}
