// POST /v1/responses: OpenAI's protocol of items over the call that answers chat completions.
import type { ApiRequest } from '../api-request.ts';
import { answerRequest } from '../chat/complete-chat.ts';
import { responsesFace } from './responses-face.ts';
import { toChatRequest, ResponsesRequest } from './responses-request.ts';
import type { ApiServices } from '../api-services.ts';

export function createResponse(deps: ApiServices, request: ApiRequest): Promise<Response> {
  const asked = ResponsesRequest.parse(request.body);
  return answerRequest(deps, request, toChatRequest(asked), (head) => responsesFace(head, asked));
}
