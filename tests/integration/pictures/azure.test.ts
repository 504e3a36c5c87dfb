// Pictures of Azure's deployments: OpenAI's images API, below the deployment, which is the model.
import { addCredits } from '@parley/server/billing/balances';
import type { FinalEvent } from '@parley/schema/generation/events';
import type { PictureInput } from '@parley/schema/pictures/picture';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { expectBooksToAgree } from '../../support/credits.ts';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { imagesIn, keepPicture, pictureRequests } from './asks.ts';

const ENDPOINT = { endpoint: 'azureOpenAI', model: 'gpt-image-1' };
const AZURE = {
  AZURE_API_KEY: 'azure-key',
  AZURE_OPENAI_BASEURL: '${FAKE_PROVIDER}/openai/deployments/${DEPLOYMENT_NAME}',
  AZURE_OPENAI_API_VERSION: '2025-04-01-preview',
  AZURE_USE_MODEL_AS_DEPLOYMENT_NAME: 'true',
  AZURE_OPENAI_MODELS: 'gpt-4,gpt-image-1,dall-e-3',
  CHECK_BALANCE: 'true',
};

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices(AZURE);
  alice = await services.as('alice');
  await addCredits(services.deps.db, alice.id, 10_000_000);
});
beforeEach(() => services.provider.clear());
afterAll(() => services.close());

const picture = (over: Partial<PictureInput> = {}) => ({
  n: 1,
  size: 'square' as const,
  quality: 'draft' as const,
  ...over,
});
const reasonOf = ({ reply }: FinalEvent) => reply.parts.find((part) => part.type === 'error') ?? reply.reason;

it('the endpoint says which of its deployments make pictures', async () => {
  const { azureOpenAI } = await alice.api.endpoints.list();
  expect(azureOpenAI?.pictures).toEqual(['gpt-image-1', 'dall-e-3']);
});

it.each([
  ['gpt-image-1', { quality: 'low', stream: true, partial_images: 2 }],
  ['dall-e-3', { quality: 'standard', response_format: 'b64_json' }],
])('%s is asked by its deployment, with the key and the version of Azure', async (model, sent) => {
  const drawn = await exchange(services, alice.id, question('A red boat', { ...ENDPOINT, model, picture: picture() }));
  expect(imagesIn(drawn)).toMatchObject([{ width: 1024, height: 1024, prompt: 'A red boat' }]);
  expect(pictureRequests(services)).toMatchObject([
    {
      path: `/openai/deployments/${model}/images/generations`,
      query: '?api-version=2025-04-01-preview',
      headers: { 'api-key': 'azure-key' },
      body: { prompt: 'A red boat', size: '1024x1024', ...sent },
    },
  ]);
  expect(pictureRequests(services)[0]?.headers.authorization).toBeUndefined();
  await expectBooksToAgree(services.deps.db, alice.id);
});

it('a picture is changed where it is marked', async () => {
  const first = await exchange(services, alice.id, question('A red boat', { ...ENDPOINT, picture: picture({ n: 2 }) }));
  const [, second] = imagesIn(first);
  const maskFileId = await keepPicture(services, alice.id, 1024, 1024, true);
  services.provider.clear();
  const from = [second?.fileId ?? ''];
  const next = followUp('Make it blue', first, { ...ENDPOINT, picture: picture({ from, maskFileId }) });
  expect(imagesIn(await exchange(services, alice.id, next))).toHaveLength(1);
  const [request] = pictureRequests(services);
  expect(request?.path).toBe('/openai/deployments/gpt-image-1/images/edits');
  expect(request?.body).toContain('name="mask"');
  expect(request?.body).not.toContain('name="model"');
});

it.each([
  ['fake:forbidden', 'Your task failed as a result of our safety system.'],
  ['[[error-429]]', null],
])('says why %s gets no picture, and charges nothing', async (prompt, sentence) => {
  const drawn = await exchange(services, alice.id, question(`A boat ${prompt}`, { ...ENDPOINT, picture: picture() }));
  expect(imagesIn(drawn)).toEqual([]);
  const told = JSON.stringify(reasonOf(drawn));
  expect(told).toContain(sentence ?? 'provider_rate_limited');
  await expectBooksToAgree(services.deps.db, alice.id);
});
