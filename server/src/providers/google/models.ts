// The list of models that Gemini has for a key.
import * as z from 'zod';
import { windowIn } from '../model-metadata.ts';
import type { ModelSource } from '../model-source.ts';
import type { ServiceKey } from './service-key.ts';

export type Keys = { apiKey?: string | undefined; serviceKey?: ServiceKey | undefined };

const Gemini = z.object({
  models: z.array(z.looseObject({ name: z.string(), supportedGenerationMethods: z.array(z.string()).default([]) })),
});

/** Vertex has no model list, and Gemini's does not show what a service key can use. */
export function listFor({ apiKey, serviceKey }: Keys, geminiURL: string): ModelSource | null {
  return apiKey !== undefined && !serviceKey ? geminiModels(geminiURL, apiKey) : null;
}

/** Gemini's chat models. */
function geminiModels(baseURL: string, apiKey: string): ModelSource {
  return {
    url: `${baseURL}/v1beta/models?pageSize=1000`,
    headers: { 'x-goog-api-key': apiKey },
    read: (response) =>
      Gemini.parse(response)
        .models.filter((model) => model.supportedGenerationMethods.includes('generateContent'))
        .map((model) => ({ id: model.name.replace(/^models\//, ''), ...windowIn(model.inputTokenLimit) })),
  };
}
