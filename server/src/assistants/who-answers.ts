// Which endpoint answers for an assistant.
import { answersForAssistants } from '@parley/schema/assistants/assistants';
import type { Endpoint, Endpoints } from '../catalog/endpoint.ts';
import { refuse } from '../platform/errors.ts';

/** An endpoint that an assistant may name. @throws Refusal `not_found` or `invalid_input` */
export function assertResponder(endpoints: Endpoints, name: string): Endpoint {
  const endpoint = endpoints.assert(name);
  if (!answersForAssistants(endpoint.type))
    refuse({ type: 'invalid_input', text: `The endpoint ${name} cannot answer for assistants` });
  return endpoint;
}

export async function offersModel(endpoint: Endpoint, userId: string, model: string): Promise<boolean> {
  return (await endpoint.models(userId)).includes(model) || endpoint.accepts(userId, model);
}

/** The first endpoint that offers this model: the operator's own for assistants, then openAI, then as in the menu. */
export async function findOffering(endpoints: Endpoints, userId: string, model: string): Promise<Endpoint | undefined> {
  for (const endpoint of endpoints
    .list()
    .filter(mayAnswer)
    .toSorted((a, b) => rankOf(a) - rankOf(b)))
    if (await offersModel(endpoint, userId, model)) return endpoint;
  return undefined;
}

/**
 * What a saved assistant names as its endpoint; null for the operator's own for assistants.
 * @throws Refusal `invalid_input` for a model that could never answer; `not_found` for an unknown endpoint
 */
export async function endpointToSave(
  endpoints: Endpoints,
  userId: string,
  { endpoint, model }: { endpoint?: string | null | undefined; model: string },
): Promise<string | null> {
  const named = endpoint ? assertResponder(endpoints, endpoint) : null;
  if (!(await isLeftIn(endpoints, userId, model)))
    refuse({ type: 'invalid_input', text: `No endpoint offers the model ${model} for assistants` });
  if (named) {
    if (!(await offersModel(named, userId, model)))
      refuse({ type: 'invalid_input', text: `${named.name} does not offer the model ${model}` });
    return named.name;
  }
  const found = await findOffering(endpoints, userId, model);
  if (!found) return refuse({ type: 'invalid_input', text: `No endpoint offers the model ${model} for assistants` });
  return found.type === 'assistants' ? null : found.name;
}

/** The same for a change. A model that stays is not looked up: that it is no longer offered is no reason against the rest. */
export async function endpointAfter(
  endpoints: Endpoints,
  userId: string,
  before: { endpoint: string | null; model: string },
  { endpoint, model = before.model }: { endpoint?: string | null | undefined; model?: string | undefined },
): Promise<string | null> {
  const isSame = endpoint === undefined || endpoint === before.endpoint;
  if (isSame && model === before.model) return before.endpoint;
  const former = endpoints.list().find(({ name }) => name === before.endpoint);
  const stays = endpoint === undefined && former && (await offersModel(former, userId, model));
  return endpointToSave(endpoints, userId, { endpoint: stays ? former.name : endpoint, model });
}

/** False where the operator names the models of assistants, and this is none of them. */
export async function isLeftIn(endpoints: Endpoints, userId: string, model: string): Promise<boolean> {
  const narrowing = endpoints.list().find(({ isAnsweredByOthers }) => isAnsweredByOthers);
  return !narrowing || offersModel(narrowing, userId, model);
}

function mayAnswer({ type, isAnsweredByOthers }: Endpoint): boolean {
  return (type === 'assistants' && !isAnsweredByOthers) || answersForAssistants(type);
}

/** The sort keeps the order of the menu among equals. */
function rankOf({ type }: Endpoint): number {
  return type === 'assistants' ? 0 : type === 'openAI' ? 1 : 2;
}
