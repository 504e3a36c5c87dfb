import type { Query } from '@parley/db/client';
import { endpointTable } from '@parley/schema/catalog/endpoints';
import { findPictureModel } from '@parley/schema/pictures/models';
import { chooseVisionModel, takesImages } from '@parley/schema/catalog/vision';
import { throwViolation } from '../../abuse/violation-error.ts';
import type { Responder } from '../../assistants/find-responder.ts';
import type { Endpoint } from '../../catalog/endpoint.ts';
import { findModelMetadata } from '../../catalog/model-list.ts';
import { readAttachments } from '../../files/read-attachments.ts';
import { refuse } from '../../platform/errors.ts';
import type { ModelMetadata } from '../../providers/model-metadata.ts';

/**
 * Finds the model that answers a question with these files, and what its provider says of it.
 * @throws ViolationError `illegal_model_request` for a model the endpoint does not offer
 */
export async function resolveModel(
  query: Query,
  userId: string,
  { endpoint, model: wished }: Pick<Responder, 'endpoint' | 'model'>,
  files: readonly string[],
): Promise<{ model: string; metadata: ModelMetadata }> {
  const asked = await assertModel(endpoint, userId, wished);
  const model = files.length > 0 ? await modelForImages(query, userId, endpoint, asked, files) : asked;
  return { model, metadata: await findModelMetadata(endpoint, userId, model) };
}

/**
 * Finds the requested model, or the endpoint's first.
 * @throws Refusal `model_not_yours` for one that administrators give to others only
 * @throws ViolationError `illegal_model_request` for a model the endpoint does not offer
 */
export async function assertModel(
  endpoint: Endpoint,
  userId: string,
  asked: string | null | undefined,
): Promise<string> {
  const models = await endpoint.models(userId);
  const model = asked ?? models[0] ?? endpointTable[endpoint.type].defaultModel;
  if (models.includes(model) || (await endpoint.accepts(userId, model))) return model;
  // No violation: it may have been theirs when their page read what is offered.
  if (!(await endpoint.permits(userId, model))) refuse({ type: 'model_not_yours', endpoint: endpoint.name, model });
  return throwViolation({ type: 'illegal_model_request', endpoint: endpoint.name, model });
}

/**
 * Finds the model for a new question with these files: if it has images and its model accepts none, one of the endpoint
 * that does.
 */
async function modelForImages(
  query: Query,
  userId: string,
  endpoint: Endpoint,
  model: string,
  files: readonly string[],
): Promise<string> {
  if (takesImages(model) || findPictureModel(endpoint.config, model)) return model;
  const attached = await readAttachments(query, userId, files);
  if (!attached.some(({ type }) => type === 'image')) return model;
  return chooseVisionModel(endpoint.type, model, await endpoint.models(userId));
}
