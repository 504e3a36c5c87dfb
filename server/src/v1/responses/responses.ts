// POST /v1/responses: OpenAI's protocol of items over the call that answers chat completions.
import type { Deps } from '../../deps.ts';
import type { ApiRequest } from '../api-request.ts';
import { answerRequest } from '../chat/complete-chat.ts';
import { responsesFace } from './responses-face.ts';
import { toChatRequest, ResponsesRequest } from './responses-request.ts';

export function createResponse(deps: Deps, request: ApiRequest): Promise<Response> {
  const asked = ResponsesRequest.parse(request.body);
  return answerRequest(deps, request, toChatRequest(asked), (head) => responsesFace(head, asked));
}
