import type { Endpoint } from '../endpoint.ts';
import type { ModelAccess } from './model-access.ts';

/** The endpoint with the models that are for whoever asks. */
export function withAccess<T extends Pick<Endpoint, 'name' | 'models' | 'accepts' | 'permits'>>(
  endpoint: T,
  access: ModelAccess,
): T {
  const { name } = endpoint;
  return {
    ...endpoint,
    models: async (userId) => access.permitted(userId, name, await endpoint.models(userId)),
    accepts: async (userId, model) =>
      (await endpoint.accepts(userId, model)) && (await access.permits(userId, name, model)),
    permits: (userId, model) => access.permits(userId, name, model),
  };
}
