// POST /v1/chat/completions.
import { modelRates } from '@parley/schema/catalog/rates';
import type { Deps } from '../../deps.ts';
import type { ApiRequest } from '../api-request.ts';
import type { ApiCall } from '../../chat/api-calls/api-call.ts';
import { startCall } from '../../chat/api-calls/run-call.ts';
import { chooseModel, type ChosenModel } from '../models.ts';
import { answerStreamed, answerWhole } from './answer.ts';
import { ChatRequest } from './chat-request.ts';
import { prepareCall, type Prepared } from './provider-call.ts';

export async function completeChat(deps: Deps, request: ApiRequest): Promise<Response> {
  const { holder, id, report } = request;
  const asked = ChatRequest.parse(request.body);
  const chosen = await chooseModel(deps, holder, asked.model);
  const target = await chosen.endpoint.target(holder.userId, chosen.model);
  const prepared = prepareCall(asked, chosen, target, holder.userId);
  await deps.apiCalls.moderateWords?.(chosen.endpoint, prepared.texts);
  const left = new AbortController();
  const client = AbortSignal.any([request.signal, left.signal]);
  const { provider } = chosen.endpoint;
  const run = await startCall(
    deps.apiCalls,
    callOf(deps, request, chosen, prepared),
    (signal, onBytes) => provider({ ...prepared.call, onBytes }, signal),
    client,
  );
  const head = { id: `chatcmpl-${id}`, model: asked.model, created: Math.floor(Date.now() / 1000) };
  if (asked.stream !== true) return answerWhole(head, run);
  const includeUsage = asked.stream_options?.include_usage === true;
  return answerStreamed(head, run, { includeUsage, onLeave: () => left.abort(), onError: report });
}

function callOf(
  { apiCalls }: Deps,
  { id, holder, client }: ApiRequest,
  { endpoint, model, metadata }: ChosenModel,
  { settings, promptTokens, countPromptTokens }: Prepared,
): ApiCall {
  const { name, type, config } = endpoint;
  return {
    id,
    holder,
    client,
    endpoint: name,
    model,
    rates: modelRates(type, model, metadata.rates),
    promptTokens,
    charge: {
      userId: holder.userId,
      owner: apiCalls.owner,
      generationId: id,
      endpointType: type,
      model,
      settings,
      rates: metadata.rates,
      isUsersServer: config.userProvideURL === true,
      countPromptTokens,
    },
  };
}
