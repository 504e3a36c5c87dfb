// POST /v1/chat/completions.
import type { ApiRequest } from '../api-request.ts';
import type { ApiCall } from '../../chat/api-calls/api-call.ts';
import { startCall, type RunningCall } from '../../chat/api-calls/run-call.ts';
import type { Delta } from '../../generation/delta.ts';
import { assertRoomForMessages } from '../../messages/stored-messages.ts';
import type { AnswerPicture } from '../../providers/provider.ts';
import { chooseModel, type ChosenModel } from '../models.ts';
import { answerStreamed, answerWhole } from './answer.ts';
import { withAttachments } from './attachments.ts';
import { chatFace } from './chat-face.ts';
import type { AnswerHead } from './chunks.ts';
import { readChatRequest, type GivenRequest } from './chat-request.ts';
import type { Face } from './face.ts';
import { assertPriced } from './parameters.ts';
import { prepareCall, type Prepared } from './provider-call.ts';
import { storedCount, storeExchange, storing, type Exchange } from './store-exchange.ts';
import type { ApiServices } from '../api-services.ts';
import type { CoreServices } from '../../platform/requests/request-services.ts';

export async function completeChat(deps: ApiServices, request: ApiRequest): Promise<Response> {
  const given = readChatRequest(request.body);
  return answerRequest(deps, request, given, (head) => chatFace(head, given.asked));
}

/** Answers a request that any protocol has become, in the words of `face`. */
export async function answerRequest(
  deps: ApiServices,
  request: ApiRequest,
  given: GivenRequest,
  face: (head: AnswerHead) => Face,
): Promise<Response> {
  const { holder, id, report } = request;
  const chosen = await chooseModel(deps, holder, given.asked.model);
  const whole = await withAttachments(deps, given, chosen, request.signal);
  const { asked } = whole;
  const target = await chosen.endpoint.target(holder.userId, chosen.model);
  const prepared = prepareCall(whole, chosen, target, holder.userId);
  const call = callOf(deps, request, chosen, prepared);
  await assertPriced(given.beside, () => isLimited(deps, request, call));
  if (asked.store === true) await assertRoom(deps, holder.userId, asked.messages);
  await deps.apiCalls.moderateWords?.(chosen.endpoint, prepared.texts);
  const left = new AbortController();
  const client = AbortSignal.any([request.signal, left.signal]);
  const { provider } = chosen.endpoint;
  const run = await startCall(
    deps.apiCalls,
    call,
    (signal, onBytes) => provider({ ...prepared.call, onBytes, keepPicture }, signal),
    client,
  );
  const kept =
    asked.store === true ? { ...run, deltas: stored(deps, request, { chosen, asked: asked.messages }, run) } : run;
  const words = face({ id, model: asked.model, created: Math.floor(Date.now() / 1000) });
  if (asked.stream !== true) return answerWhole(words, kept);
  return answerStreamed(words, kept, { onLeave: () => left.abort(), onError: report });
}

/** By credits. */
async function isLimited({ apiCalls }: ApiServices, { holder }: ApiRequest, { charge }: ApiCall): Promise<boolean> {
  const free = { ...charge, countPromptTokens: async () => 0 };
  return (await apiCalls.billing.quote(charge.userId, charge.endpointType, () => free, holder)) !== null;
}

/** Pictures are handed on, and no files of the person. */
async function keepPicture(picture: AnswerPicture): Promise<Delta> {
  return { type: 'picture', picture };
}

/** Before anything is spent. @throws Refusal `invalid_input` */
function assertRoom({ db, config }: CoreServices, userId: string, asked: Exchange['asked']): Promise<void> {
  return assertRoomForMessages(db.query, userId, config.limits.storedMessages, storedCount({ asked }));
}

/** The answer counts more than its copy: where it cannot be stored, it is given all the same. */
function stored(
  { db }: CoreServices,
  { id, holder: { userId }, report }: ApiRequest,
  exchange: Pick<Exchange, 'chosen' | 'asked'>,
  { deltas, used }: RunningCall,
) {
  return storing(deltas, (reply) =>
    storeExchange(db, { id, userId, ...exchange }, { ...reply, usage: used() }).catch(report),
  );
}

function callOf(
  { apiCalls }: ApiServices,
  { id, holder, client }: ApiRequest,
  { endpoint, model, metadata }: ChosenModel,
  { settings, maxTokens, countPromptTokens }: Prepared,
): ApiCall {
  const { name, type, config } = endpoint;
  return {
    id,
    kind: 'api',
    holder,
    client,
    endpoint: name,
    model,
    charge: {
      userId: holder.userId,
      owner: apiCalls.owner,
      generationId: id,
      endpointType: type,
      model,
      settings,
      maxTokens,
      rates: metadata.rates,
      isUsersServer: config.userProvideURL === true,
      countPromptTokens,
    },
  };
}
