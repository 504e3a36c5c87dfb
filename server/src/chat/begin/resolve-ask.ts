import type { AskInput } from '@parley/schema/chat/ask';
import { parseSettings } from '@parley/schema/settings/settings';
import type { Db } from '@parley/db/client';
import type { FindResponder } from '../../assistants/find-responder.ts';
import type { Endpoints } from '../../catalog/endpoint.ts';
import type { Moderation } from '../checks/moderation.ts';
import { assertAttachable } from '../checks/assert-attachable.ts';
import { resolveModel } from '../checks/assert-model.ts';
import { keptModel } from '../kept-model.ts';
import { waitedTarget } from './waited-target.ts';

export interface ResolveDeps {
  db: Db;
  owner: string;
  endpoints: Endpoints;
  findResponder: FindResponder;
  moderate: Moderation;
}

/** Checks the ask and its target: the endpoint exists, moderation passes, the model and a key are available. */
export async function resolveAsk(
  { db, owner, endpoints, findResponder, moderate }: ResolveDeps,
  userId: string,
  asked: AskInput,
) {
  const input = { ...asked, target: await waitedTarget(db.query, userId, asked) };
  const responder = await findResponder(userId, endpoints.assert(input.endpoint), input);
  const { endpoint, assistant } = responder;
  await assertAttachable(db.query, userId, endpoint, input);
  await moderate(userId, responder, input);
  const files = input.target.kind === 'send' ? (input.target.files ?? []) : [];
  const { model, metadata } = await resolveModel(db.query, userId, responder, files);
  const target = await endpoint.target(userId, model);
  const settings = parseSettings(endpoint.type, input.settings, model);
  const kept = keptModel(endpoints, input);
  return { userId, owner, input, endpoint, model, metadata, settings, kept, assistant, target };
}
