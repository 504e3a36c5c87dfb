// How each kind of provider lists its models.
import * as z from 'zod';
import type { ModelSource } from './models.ts';

const Data = z.object({ data: z.array(z.object({ id: z.string() })) });

/** OpenAI's own list and those of the providers that follow it. */
export function openAIModels(baseURL: string, apiKey: string): ModelSource {
  return { url: `${baseURL}/models`, headers: { authorization: `Bearer ${apiKey}` }, read: idsOf };
}

/** OpenAI's own list holds much that does not chat; what only completes comes last (C.6 of the REST facts). */
export function onlyChat(source: ModelSource): ModelSource {
  return { ...source, read: (answer) => chatModels(source.read(answer)) };
}

export function anthropicModels(baseURL: string, apiKey: string): ModelSource {
  const headers = { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
  return { url: `${baseURL}/v1/models?limit=1000`, headers, read: idsOf };
}

const Gemini = z.object({
  models: z.array(z.object({ name: z.string(), supportedGenerationMethods: z.array(z.string()).default([]) })),
});

export function geminiModels(baseURL: string, apiKey: string): ModelSource {
  return {
    url: `${baseURL}/v1beta/models?pageSize=1000`,
    headers: { 'x-goog-api-key': apiKey },
    read: (answer) =>
      Gemini.parse(answer)
        .models.filter((model) => model.supportedGenerationMethods.includes('generateContent'))
        .map(({ name }) => name.replace(/^models\//, '')),
  };
}

const Ollama = z.object({ models: z.array(z.object({ name: z.string() })) });

/** Ollama lists what it has beside the paths that it shares with OpenAI. */
export function ollamaModels(baseURL: string): ModelSource {
  return {
    url: `${baseURL.replace(/\/v1$/, '')}/api/tags`,
    headers: {},
    read: (answer) => Ollama.parse(answer).models.map(({ name }) => name),
  };
}

function idsOf(answer: unknown): string[] {
  return Data.parse(answer).data.map(({ id }) => id);
}

function chatModels(ids: string[]): string[] {
  const chat = ids.filter((id) => id.includes('gpt-') || id.includes('text-davinci-003'));
  return chat.toSorted((a, b) => Number(a.includes('instruct')) - Number(b.includes('instruct')));
}
