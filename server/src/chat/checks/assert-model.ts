import { endpointTable } from '@parley/schema/catalog/endpoints';
import type { Endpoint } from '../../catalog/endpoint.ts';
import { throwViolation } from '../../abuse/violation-error.ts';

/**
 * The requested model, or the endpoint's first.
 * @throws ViolationError `illegal_model_request` for a model the endpoint does not offer
 */
export async function assertModel(
  endpoint: Endpoint,
  userId: string,
  asked: string | null | undefined,
): Promise<string> {
  const models = await endpoint.models(userId);
  const model = asked ?? models[0] ?? endpointTable[endpoint.type].defaultModel;
  if (models.includes(model) || endpoint.accepts(model)) return model;
  return throwViolation({ type: 'illegal_model_request', endpoint: endpoint.name, model });
}
