/** OpenAI's embeddings call: vectors that are alike where texts share words, or words of one meaning. */
import * as z from 'zod';
import { respondWhole, sendJson } from './protocol.ts';
import type { FakeCall, Protocol } from './protocol.ts';

const AZURE = /^\/openai\/deployments\/([^/]+)\/embeddings$/;

const Request = z.object({
  model: z.string().default(''),
  input: z.union([
    z.string().transform((text) => [text]),
    z.array(z.string()),
    z.array(z.number().int()).transform((tokens) => [tokens.join(' ')]),
    z.array(z.array(z.number().int()).transform((tokens) => tokens.join(' '))),
  ]),
  dimensions: z.number().int().min(1).max(256).optional(),
});

const SIZE = 256;

/** Words of one meaning, for tests of what words alone do not find. */
const MEANINGS = [
  ['car', 'cars', 'automobile', 'vehicle'],
  ['doctor', 'physician'],
  ['price', 'cost', 'costs', 'fee'],
];

/** Words that stand in every text say nothing. */
const COMMON = new Set(
  'a an and are as at be by for from in is it of on or that the this to was what which who with'.split(' '),
);

export const embeddings: Protocol = {
  serves: (method, path) => method === 'POST' && (path === '/v1/embeddings' || AZURE.test(path)),
  async respond(exchange) {
    const { line, request } = exchange;
    const parsed = Request.safeParse(request.body);
    if (!parsed.success) return sendJson(line, 400, errorBody('invalid_request_error', "'input' is invalid."));
    const { input } = parsed.data;
    const [, deployment] = AZURE.exec(exchange.path) ?? [];
    const model = deployment ?? parsed.data.model;
    const script = exchange.script(scenarioOf(exchange, model), input.join('\n'));
    if (script.kind !== 'stream') return respondWhole(script, line, ({ type, message }) => errorBody(type, message));
    const vectors = vectorsFor(model, input).map((vector) => vector.slice(0, parsed.data.dimensions ?? SIZE));
    const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
    const tokens = input.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
    sendJson(line, 200, { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } });
  },
};

/** The texts are those of files: only the model, the path and the header choose. */
function scenarioOf(exchange: FakeCall, model: string) {
  return exchange.choose(model, '');
}

/** Models that return what they should not: `uneven`, vectors of different sizes; `few`, one too few. */
function vectorsFor(model: string, input: readonly string[]): number[][] {
  const vectors = input.map(embedText);
  if (model.endsWith('uneven')) return vectors.map((vector, at) => vector.slice(0, at === 0 ? SIZE / 2 : SIZE));
  return model.endsWith('few') ? vectors.slice(1) : vectors;
}

function embedText(text: string): number[] {
  // A little of everything, so that no value is zero and the signs of unrelated texts differ by chance.
  const seed = hashOf(text);
  const vector: number[] = Array.from({ length: SIZE }, (_, at) => (((seed >>> (at % 24)) & 1) === 1 ? 0.01 : -0.01));
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    if (COMMON.has(word)) continue;
    const meaning = MEANINGS.find((words) => words.includes(word))?.[0] ?? word;
    for (const [n, sign] of signsOf(meaning).entries()) vector[n] = (vector[n] ?? 0) + sign;
  }
  return vector;
}

const known = new Map<string, number[]>();

/** The same signs for the same word, by chance otherwise. */
function signsOf(word: string): number[] {
  const signs =
    known.get(word) ?? Array.from({ length: SIZE }, (_, n) => ((hashOf(`${n} ${word}`) & 1) === 1 ? 1 : -1));
  if (known.size < 10_000) known.set(word, signs);
  return signs;
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function errorBody(type: string, message: string): unknown {
  return { error: { message, type, param: null, code: null } };
}
