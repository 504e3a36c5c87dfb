// Servers that speak OpenAI's protocol in their own way: what they refuse is asked again, and costs nothing.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strangers } from '@parley/scripts/fake-provider/protocols/strangers/profiles';
import { createFolder } from '../../support/folders.ts';
import { describeBooks, type BookedProvider } from './provider-book.ts';

const CONFIG_PATH = join(createFolder(), 'parley.yaml');
const names = Object.keys(strangers).map((name) => ({ name, endpoint: `Ours, ${name}` }));
writeFileSync(
  CONFIG_PATH,
  [
    'version: 1.0.7',
    'prices:',
    ...names.map(({ endpoint }) => `  '${endpoint}': { '*': { input: 2.5, output: 7.5 } }`),
    'endpoints:',
    '  custom:',
    ...names.map(
      ({ name, endpoint }) =>
        `    - { name: '${endpoint}', apiKey: k, baseURL: '\${FAKE}/strangers/${encodeURIComponent(name)}/v1', models: { default: [one] } }`,
    ),
    '',
  ].join('\n'),
);

const PROVIDERS = names.map(({ name, endpoint }): BookedProvider => {
  const { refuses } = new Map<string, { refuses: object }>(Object.entries(strangers)).get(name) ?? { refuses: {} };
  const provider = { endpoint, endpointType: 'custom' as const, model: 'one', rates: { prompt: 2.5, completion: 7.5 } };
  return 'tools' in refuses || 'tool turns' in refuses ? { ...provider, takesTools: false } : provider;
});

// That the others pay the same is proven with the other providers.
describeBooks({ CONFIG_PATH, FAKE: '${FAKE_PROVIDER}' }, PROVIDERS, ['a balance']);
