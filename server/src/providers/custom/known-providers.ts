// The OpenAI-compatible providers with known quirks. A provider that follows the protocol exactly needs no row.
import type { ProviderQuirks } from '../provider.ts';

export interface KnownProvider extends ProviderQuirks {
  /** An endpoint of this name is recognised at any address. */
  name: string;
  /** The end of its host name; null for self-hosted servers. */
  host: string | null;
  protocol: 'openAI' | 'cohere';
  models: 'openAI' | 'ollama' | 'none';
  /** Expects the site's address and name in `HTTP-Referer` and `X-Title`. */
  sendsSiteHeaders: boolean;
}

const OPENAI_COMPATIBLE: Omit<KnownProvider, 'name' | 'host'> = {
  protocol: 'openAI',
  instructions: 'before-question',
  continueMode: 'native',
  rejectedParams: [],
  models: 'openAI',
  sendsSiteHeaders: false,
};

const KNOWN_PROVIDERS: readonly KnownProvider[] = [
  { ...OPENAI_COMPATIBLE, name: 'anyscale', host: 'anyscale.com' },
  { ...OPENAI_COMPATIBLE, name: 'apipie', host: 'apipie.ai' },
  { ...OPENAI_COMPATIBLE, name: 'cohere', host: 'cohere.ai', protocol: 'cohere', models: 'none' },
  { ...OPENAI_COMPATIBLE, name: 'fireworks', host: 'fireworks.ai' },
  { ...OPENAI_COMPATIBLE, name: 'groq', host: 'groq.com' },
  // Reports usage unasked, and rejects unknown fields.
  {
    ...OPENAI_COMPATIBLE,
    name: 'mistral',
    host: 'mistral.ai',
    instructions: 'first',
    continueMode: 'prefix',
    rejectedParams: ['user', 'stream_options'],
  },
  { ...OPENAI_COMPATIBLE, name: 'ollama', host: null, models: 'ollama' },
  { ...OPENAI_COMPATIBLE, name: 'openrouter', host: 'openrouter.ai', sendsSiteHeaders: true },
  // Requires alternating turns, and at most one kind of penalty.
  {
    ...OPENAI_COMPATIBLE,
    name: 'perplexity',
    host: 'perplexity.ai',
    instructions: 'first',
    continueMode: 'prompt',
    rejectedParams: ['stop'],
    models: 'none',
  },
  { ...OPENAI_COMPATIBLE, name: 'shuttleai', host: 'shuttleai.app' },
  { ...OPENAI_COMPATIBLE, name: 'together.ai', host: 'together.xyz' },
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
