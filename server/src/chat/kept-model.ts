// What a conversation goes on with where another model answers one question of it.
import { endpointTable } from '@parley/schema/catalog/endpoints';
import type { AskInput } from '@parley/schema/chat/ask';
import { parseSettings } from '@parley/schema/settings/settings';
import type { Endpoints } from '../catalog/endpoint.ts';
import type { KeptModel } from './ask-messages.ts';

/** Null where the ask keeps nothing, or an endpoint that is no longer offered: that must not refuse the question. */
export function keptModel(endpoints: Endpoints, { keeps }: Pick<AskInput, 'keeps'>): KeptModel | null {
  const endpoint = endpoints.list().find(({ name }) => name === keeps?.endpoint);
  if (!keeps || !endpoint) return null;
  const model = keeps.model ?? endpointTable[endpoint.type].defaultModel;
  const settings = parseSettings(endpoint.type, keeps.settings, model);
  return { endpoint: endpoint.name, endpointType: endpoint.type, model, settings };
}
