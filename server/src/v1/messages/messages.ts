// POST /v1/messages and POST /v1/messages/count_tokens: Anthropic's protocol over the call that answers chat completions.
import type { ApiRequest } from '../api-request.ts';
import { withAttachments } from '../chat/attachments.ts';
import { answerRequest } from '../chat/complete-chat.ts';
import { prepareCall } from '../chat/provider-call.ts';
import { chooseModel } from '../models.ts';
import { messagesFace } from './messages-face.ts';
import { readCountRequest, readMessagesRequest } from './messages-request.ts';
import type { ApiServices } from '../api-services.ts';

export function createMessage(deps: ApiServices, request: ApiRequest): Promise<Response> {
  return answerRequest(deps, request, readMessagesRequest(request.body), messagesFace);
}

/** By the tokenizer that budgets use, so about right. */
export async function countMessageTokens(deps: ApiServices, { holder, body, signal }: ApiRequest): Promise<Response> {
  const given = readCountRequest(body);
  const chosen = await chooseModel(deps, holder, given.asked.model);
  const target = await chosen.endpoint.target(holder.userId, chosen.model);
  const whole = await withAttachments(deps, given, chosen, signal);
  const { countPromptTokens } = prepareCall(whole, chosen, target, holder.userId);
  return Response.json({ input_tokens: await countPromptTokens() });
}
