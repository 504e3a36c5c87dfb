// The rows of `/v1`, which are mounted and documented alike.
import type { ApiRoute } from './api-route.ts';
import { ChatRequest } from './chat/chat-request.ts';
import { completeChat } from './chat/complete-chat.ts';
import { embed, EmbeddingsRequest } from './embeddings.ts';
import { describeModel, listModels } from './models.ts';
import { countMessageTokens, createMessage } from './messages/messages.ts';
import { messagesError } from './messages/messages-error.ts';
import { CountRequest, MessagesRequest } from './messages/messages-request.ts';
import {
  ChatCompletion,
  Embeddings,
  MessageObject,
  MessagesErrorBody,
  Model,
  Models,
  ResponseObject,
  TokenCount,
} from './openapi/answers.ts';
import { createResponse } from './responses/responses-face.ts';
import { ResponsesRequest } from './responses/responses-request.ts';

export const API_ROWS: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/v1/models',
    scope: 'models',
    doc: {
      id: 'listModels',
      summary: 'The models of this key',
      description: 'Each by `endpoint/model`; assistants, own and shared, by `assistant/<id>`.',
      answer: Models,
    },
    answer: async (deps, { holder }) => Response.json({ object: 'list', data: await listModels(deps, holder) }),
  },
  {
    method: 'GET',
    path: '/v1/models/{model}',
    scope: 'models',
    doc: { id: 'describeModel', summary: 'One model', answer: Model },
    answer: async (deps, { holder, params }) => Response.json(await describeModel(deps, holder, params.model ?? '')),
  },
  {
    method: 'POST',
    path: '/v1/chat/completions',
    scope: 'chat',
    doc: {
      id: 'completeChat',
      summary: 'An answer to messages, whole or as events',
      description:
        'Pictures and PDFs are sent as `data:` or by public https addresses. Tools are the caller’s: their calls are handed on and their results taken back. A parameter that the model does not take is refused by name. Fields that are not named here go to providers of the same protocol as they came, and are refused elsewhere.',
      request: ChatRequest,
      answer: ChatCompletion,
      streams: true,
    },
    answer: completeChat,
  },
  {
    method: 'POST',
    path: '/v1/responses',
    scope: 'chat',
    doc: {
      id: 'createResponse',
      summary: 'An answer to items, whole or as events',
      description:
        'Stateless: each request brings its whole history; `previous_response_id`, `background` and tools of the provider are refused. Pictures and PDFs are sent as `data:` or by public https addresses.',
      request: ResponsesRequest,
      answer: ResponseObject,
      streams: true,
    },
    answer: createResponse,
  },
  {
    method: 'POST',
    path: '/v1/messages',
    scope: 'chat',
    doc: {
      id: 'createMessage',
      summary: 'An answer in Anthropic’s protocol, whole or as events',
      description:
        'Of every model, not only Claude. Pictures and PDFs are sent in base64 or by public https addresses; tools are the caller’s.',
      request: MessagesRequest,
      answer: MessageObject,
      error: MessagesErrorBody,
      streams: true,
    },
    errorBody: messagesError,
    answer: createMessage,
  },
  {
    method: 'POST',
    path: '/v1/messages/count_tokens',
    scope: 'chat',
    doc: {
      id: 'countMessageTokens',
      summary: 'About how many tokens a request in Anthropic’s protocol has',
      request: CountRequest,
      answer: TokenCount,
      error: MessagesErrorBody,
    },
    errorBody: messagesError,
    answer: countMessageTokens,
  },
  {
    method: 'POST',
    path: '/v1/embeddings',
    scope: 'embeddings',
    doc: {
      id: 'embed',
      summary: 'Vectors of texts',
      description:
        'By the model that embeds files (`EMBEDDINGS_ENDPOINT`), or one of those that `EMBEDDINGS_MODELS` names beside it.',
      request: EmbeddingsRequest,
      answer: Embeddings,
    },
    answer: embed,
  },
];
