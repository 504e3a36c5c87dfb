// Servers that speak OpenAI's protocol in their own way: what they refuse is asked again, and costs nothing.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strangers, type Stranger } from '@parley/scripts/fake-provider/protocols/strangers/profiles';
import { createFolder } from '../../support/folders.ts';
import { describeBooks, type BookedProvider } from './provider-book.ts';

const CONFIG_PATH = join(createFolder(), 'parley.yaml');
const rates = { prompt: 2.5, completion: 7.5 };

/** Those that tell of usage. The others are counted here: `tests/integration/providers/strangers.test.ts`. */
const telling = Object.entries<Stranger>(strangers)
  .filter(([, { fields }]) => !fields.includes('stream_options'))
  .map(([name, { refuses }]) => {
    const model = `gpt-4o-of-${name.replaceAll(/[^a-z]+/g, '-')}`;
    const takesTools = !('tools' in refuses || 'tool turns' in refuses);
    return { name, endpoint: `Ours, ${name}`, model, takesTools };
  });

writeFileSync(
  CONFIG_PATH,
  [
    'version: 1.0.7',
    'prices:',
    ...telling.map(({ endpoint }) => `  '${endpoint}': { '*': { input: 2.5, output: 7.5 } }`),
    'endpoints:',
    '  custom:',
    ...telling.map(
      ({ name, endpoint, model }) =>
        `    - { name: '${endpoint}', apiKey: k, baseURL: '\${FAKE}/strangers/${encodeURIComponent(name)}/v1', models: { default: [${model}] } }`,
    ),
    '',
  ].join('\n'),
);

const PROVIDERS = telling.map(({ endpoint, model, takesTools }): BookedProvider => ({
  endpoint,
  endpointType: 'custom',
  model,
  rates,
  ...(!takesTools && { takesTools }),
}));

// That the others pay the same is proven with the other providers.
describeBooks({ CONFIG_PATH, FAKE: '${FAKE_PROVIDER}' }, PROVIDERS, ['a balance']);
