import type { Query } from '@parley/db/client';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { takesPictures } from '@parley/schema/catalog/vision';
import type { Endpoint } from '../../catalog/endpoint.ts';
import { readAttachments } from '../../files/read-attachments.ts';

/** The models that existing clients expect to answer a question with images, by the beginning of their names. */
const VISION_MODELS: Partial<Record<EndpointType, string>> = {
  openAI: 'gpt-4-vision-preview',
  azureOpenAI: 'gpt-4-vision-preview',
  custom: 'gpt-4-vision-preview',
  google: 'gemini-pro-vision',
  anthropic: 'claude-3-sonnet',
};

/**
 * The model for a new question with these files: where it has images and its model accepts none, one of the endpoint
 * that does.
 */
export async function modelForImages(
  query: Query,
  userId: string,
  endpoint: Endpoint,
  model: string,
  files: readonly string[],
): Promise<string> {
  const wanted = VISION_MODELS[endpoint.type];
  if (files.length === 0 || wanted === undefined || takesPictures(model)) return model;
  const attached = await readAttachments(query, userId, files);
  if (!attached.some(({ type }) => type === 'image')) return model;
  return (await endpoint.models(userId)).find((name) => name.startsWith(wanted)) ?? model;
}
