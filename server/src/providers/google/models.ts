import * as z from 'zod';
import { windowIn } from '../model-metadata.ts';
import type { ModelSource } from '../model-source.ts';

const Gemini = z.object({
  models: z.array(z.looseObject({ name: z.string(), supportedGenerationMethods: z.array(z.string()).default([]) })),
});

/** Gemini's chat models. */
export function geminiModels(baseURL: string, apiKey: string): ModelSource {
  return {
    url: `${baseURL}/v1beta/models?pageSize=1000`,
    headers: { 'x-goog-api-key': apiKey },
    read: (response) =>
      Gemini.parse(response)
        .models.filter((model) => model.supportedGenerationMethods.includes('generateContent'))
        .map((model) => ({ id: model.name.replace(/^models\//, ''), ...windowIn(model.inputTokenLimit) })),
  };
}

/** The models offered when neither the configuration nor Gemini lists any (docs/rest-compat.md, Models and windows). */
export const GOOGLE_MODELS = [
  'gemini-pro',
  'gemini-pro-vision',
  'chat-bison',
  'chat-bison-32k',
  'codechat-bison',
  'codechat-bison-32k',
  'text-bison',
  'text-bison-32k',
  'text-unicorn',
  'code-gecko',
  'code-bison',
  'code-bison-32k',
];
