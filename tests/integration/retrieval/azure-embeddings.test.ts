// Files are found by meaning over a deployment of Azure's, which has a path and a header of its own.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { addFile, awaitState, plainExtractor } from '../../support/retrieval/stored-files.ts';

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  const env = {
    AZURE_API_KEY: 'azure-key',
    AZURE_OPENAI_API_VERSION: '2024-10-21',
    AZURE_OPENAI_BASEURL: '${FAKE_PROVIDER}/openai/deployments/${DEPLOYMENT_NAME}',
    AZURE_USE_MODEL_AS_DEPLOYMENT_NAME: 'true',
    EMBEDDINGS_ENDPOINT: 'azureOpenAI',
    EMBEDDINGS_MODEL: 'text-embedding-3-small',
  };
  services = await openTestServices(env, {}, plainExtractor());
  alice = await services.as('alice');
});
afterAll(() => services.close());

it('a deployment embeds the file and the question', async () => {
  const fileId = await addFile(services, alice, 'The town has a harbour.\n\nA physician lives at the harbour.');
  await awaitState(services, fileId, 'ready');
  const search = { userId: alice.id, fileIds: [fileId], question: 'doctor', tokensMax: 10 };
  const [first] = await services.deps.retrieval.find(search, new AbortController().signal);
  expect(first?.body).toBe('A physician lives at the harbour.');

  const calls = services.provider.requests.filter(({ path }) => path.endsWith('/embeddings'));
  expect(calls.map(({ path }) => path)).toEqual(Array(2).fill('/openai/deployments/text-embedding-3-small/embeddings'));
  for (const { headers, body } of calls) {
    expect(headers).toMatchObject({ 'api-key': 'azure-key' });
    expect(headers).not.toHaveProperty('authorization');
    expect(body).not.toHaveProperty('model');
  }
  expect(calls.at(-1)?.body).toMatchObject({ input: ['doctor'] });
});
