// `/v1` over four providers: OpenAI, Anthropic, Google, and a server that is only compatible, which is called Local.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHttpClients } from '../http-clients.ts';

const LOCAL = `version: 1.0.7
endpoints:
  custom:
    - { name: Local, apiKey: k, baseURL: '\${LOCAL_URL}', models: { default: [llama-3, deepseek-r1, 'fake:picture', 'fake:tool-steps', 'fake:error-429', 'fake:never-ending', 'fake:error-midstream'] } }
`;

const SCENARIOS =
  'fake:plain,fake:picture,fake:reasoning,fake:tool-steps,fake:tool-parallel,fake:tool-signed,fake:never-ending,fake:error-429,fake:error-midstream';

/** `key` opens all scopes, and belongs to `userId`. */
export async function openApiClients(env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-v1-'));
  writeFileSync(join(folder, 'parley.yaml'), LOCAL);
  const clients = await openHttpClients({
    env: {
      CONFIG_PATH: join(folder, 'parley.yaml'),
      LOCAL_URL: '${FAKE_PROVIDER}/v1',
      OPENAI_MODELS: `gpt-4o,gpt-5,gpt-5.1,${SCENARIOS}`,
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_REVERSE_PROXY: '${FAKE_PROVIDER}',
      ANTHROPIC_MODELS: `claude-3-5-haiku-20241022,claude-haiku-4-5,claude-opus-4-7,claude-sonnet-5,claude-opus-5-5,claude-fable-5,${SCENARIOS}`,
      GOOGLE_KEY: 'k',
      GOOGLE_REVERSE_PROXY: '${FAKE_PROVIDER}',
      GOOGLE_MODELS: `gemini-2.5-flash,gemini-3-flash,${SCENARIOS}`,
      EMBEDDINGS_ENDPOINT: 'openAI',
      ...env,
    },
  });
  const { services } = clients;
  const alice = await services.as('alice');
  const { key } = await alice.api.apiKeys.create({ name: 'A program', scopes: ['chat', 'embeddings', 'models'] });
  return {
    ...clients,
    alice,
    key,
    baseURL: `http://${clients.host}/v1`,
    /** The body of the newest request to the provider. */
    sent: () => services.provider.requests.at(-1)?.body,
  };
}

export type ApiClients = Awaited<ReturnType<typeof openApiClients>>;
