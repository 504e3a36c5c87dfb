// How each kind of provider lists its models.
import * as z from 'zod';
import { factsInEntry, factsOfGemini, factsOfOllama, factsRunAtOllama } from './model-facts.ts';
import type { ListedModel, ModelFacts, ModelSource } from './models.ts';

const List = z.array(z.looseObject({ id: z.string() }));
/** Together gives the bare list. */
const Data = z.union([List, z.object({ data: List }).transform(({ data }) => data)]);

/** OpenAI's own list and those of the providers that follow it. */
export function openAIModels(baseURL: string, apiKey: string): ModelSource {
  return { url: `${baseURL}/models`, headers: { authorization: `Bearer ${apiKey}` }, read: listOf };
}

/** OpenAI's own list holds much that does not chat; what only completes comes last (C.6 of the REST facts, and o1 on). */
export function onlyChat(source: ModelSource): ModelSource {
  return { ...source, read: (answer) => chatModels(source.read(answer)) };
}

export function anthropicModels(baseURL: string, apiKey: string): ModelSource {
  const headers = { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
  return { url: `${baseURL}/v1/models?limit=1000`, headers, read: listOf };
}

const Gemini = z.object({
  models: z.array(z.looseObject({ name: z.string(), supportedGenerationMethods: z.array(z.string()).default([]) })),
});

export function geminiModels(baseURL: string, apiKey: string): ModelSource {
  return {
    url: `${baseURL}/v1beta/models?pageSize=1000`,
    headers: { 'x-goog-api-key': apiKey },
    read: (answer) =>
      Gemini.parse(answer)
        .models.filter((model) => model.supportedGenerationMethods.includes('generateContent'))
        .map((model) => ({ id: model.name.replace(/^models\//, ''), ...factsOfGemini(model) })),
  };
}

const Ollama = z.object({ models: z.array(z.object({ name: z.string() })) });

/** Ollama lists what it has beside the paths that it shares with OpenAI, and tells of each model apart. */
export function ollamaModels(baseURL: string): ModelSource {
  const origin = baseURL.replace(/\/v1$/, '');
  const run = new Map<string, ModelFacts>();
  return {
    url: `${origin}/api/tags`,
    headers: {},
    read: (answer) => Ollama.parse(answer).models.map(({ name }) => ({ id: name })),
    description: { url: `${origin}/api/show`, body: (model) => ({ model }), read: factsOfOllama },
    running: {
      url: `${origin}/api/ps`,
      read: (answer) => {
        for (const [id, facts] of factsRunAtOllama(answer)) run.set(id, facts);
        return run;
      },
    },
  };
}

function listOf(answer: unknown): ListedModel[] {
  return Data.parse(answer).map((entry) => ({ id: entry.id, ...factsInEntry(entry) }));
}

function chatModels(models: ListedModel[]): ListedModel[] {
  const chat = models.filter(({ id }) => /gpt-|text-davinci-003|^o\d/.test(id));
  return chat.toSorted((a, b) => Number(a.id.includes('instruct')) - Number(b.id.includes('instruct')));
}
