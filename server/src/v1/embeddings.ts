// POST /v1/embeddings: vectors of texts, by the models that the operator has named.
import * as z from 'zod';
import { startCall } from '../chat/api-calls/run-call.ts';
import { countTokens } from '../catalog/count-tokens.ts';
import { findModelMetadata } from '../catalog/model-list.ts';
import type { Delta } from '../generation/delta.ts';
import { embedTexts, type Embedder, type EmbeddingInput } from '../providers/openai/embeddings.ts';
import { refuseField } from './api-error.ts';
import type { ApiRequest } from './api-request.ts';
import { chooseEmbeddingModel } from './models.ts';
import type { ApiServices } from './api-services.ts';

const INPUTS_MAX = 2048;
/** How many texts one call of the provider has. */
const BATCH = 96;
const TEXTS = 'The input is a text or its tokens, or a list of up to 2048 of them.';
const TOKENS_MAX = 100_000;
const DIMENSIONS_MAX = 16_384;

const Text = z.string().min(1, 'A text has at least one character');

/** Numbers of the model's own tokenizer. */
const Tokens = z.array(z.int().min(0)).min(1).max(TOKENS_MAX);

export const EmbeddingsRequest = z.strictObject({
  model: z.string().min(1).max(512),
  input: z.union([Text, z.array(Text).min(1).max(INPUTS_MAX), Tokens, z.array(Tokens).min(1).max(INPUTS_MAX)], {
    error: TEXTS,
  }),
  /** How many numbers a vector has, for models that give shorter ones. */
  dimensions: z.int().min(1).max(DIMENSIONS_MAX).nullish(),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  /** Whose call it is is told by the key. */
  user: z.string().max(512).nullish(),
});

export async function embed(deps: ApiServices, request: ApiRequest): Promise<Response> {
  const { holder, id, signal } = request;
  const asked = EmbeddingsRequest.parse(request.body);
  const texts = inputsIn(asked.input);
  const { endpoint, model } = await chooseEmbeddingModel(deps, holder, asked.model);
  const target = await endpoint.target(holder.userId, model);
  if (deps.apiCalls.moderateWords) await deps.apiCalls.moderateWords(endpoint, texts.map(readable));
  const vectors: number[][] = [];
  const { deltas, used } = await startCall(
    deps.apiCalls,
    {
      id,
      kind: 'api',
      holder,
      client: request.client,
      endpoint: endpoint.name,
      model,
      charge: {
        userId: holder.userId,
        owner: deps.apiCalls.owner,
        generationId: id,
        endpointType: endpoint.type,
        model,
        settings: {},
        rates: (await findModelMetadata(endpoint, holder.userId, model)).rates,
        isUsersServer: endpoint.config.userProvideURL === true,
        countPromptTokens: () => tokensOf(texts),
      },
    },
    (until) => vectorsOf({ target, model, dimensions: asked.dimensions ?? undefined }, texts, vectors, until),
    signal,
  );
  // The vectors are there at its end.
  for await (const _ of deltas);
  const { input } = used();
  const data = vectors.map((vector, index) => ({
    object: 'embedding',
    index,
    embedding: asked.encoding_format === 'base64' ? inBase64(vector) : vector,
  }));
  const usage = { prompt_tokens: input, total_tokens: input };
  return Response.json({ object: 'list', data, model: asked.model, usage });
}

async function* vectorsOf(
  embedder: Embedder,
  texts: readonly EmbeddingInput[],
  vectors: number[][],
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  for (let from = 0; from < texts.length; from += BATCH) {
    vectors.push(...(await embedTexts(embedder, texts.slice(from, from + BATCH), signal)));
    yield { type: 'working' };
  }
  yield { type: 'usage', input: await tokensOf(texts), output: 0 };
  yield { type: 'finish', reason: 'stop' };
}

type Asked = z.output<typeof EmbeddingsRequest>['input'];

function inputsIn(input: Asked): EmbeddingInput[] {
  if (typeof input === 'string') return [input];
  const [first] = input;
  return typeof first === 'number' ? [input as number[]] : (input as EmbeddingInput[]);
}

/** @throws ApiError for tokens, which moderation can't read */
function readable(input: EmbeddingInput): string {
  if (typeof input === 'string') return input;
  return refuseField('input', 'This server checks what it is sent, so it takes texts and no tokens.');
}

async function tokensOf(texts: readonly EmbeddingInput[]): Promise<number> {
  let sum = 0;
  for (const text of texts) sum += typeof text === 'string' ? await countTokens(text) : text.length;
  return sum;
}

/** As the official clients ask for it: numbers of four bytes, the lowest first. */
function inBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(4 * vector.length);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, 4 * index);
  return bytes.toString('base64');
}
