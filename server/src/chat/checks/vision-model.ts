import type { Query } from '@parley/db/client';
import { modelForPictures, takesPictures } from '@parley/schema/catalog/vision';
import type { Endpoint } from '../../catalog/endpoint.ts';
import { readAttachments } from '../../files/read-attachments.ts';

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
  if (files.length === 0 || takesPictures(model)) return model;
  const attached = await readAttachments(query, userId, files);
  if (!attached.some(({ type }) => type === 'image')) return model;
  return modelForPictures(endpoint.type, model, await endpoint.models(userId));
}
