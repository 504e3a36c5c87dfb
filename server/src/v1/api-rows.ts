// The rows of `/v1`, which are mounted and documented alike.
import type { ApiRoute } from './api-route.ts';
import { ChatRequest } from './chat/chat-request.ts';
import { completeChat } from './chat/complete-chat.ts';
import { embed, EmbeddingsRequest } from './embeddings.ts';
import { describeModel, listModels } from './models.ts';
import { ChatCompletion, Embeddings, Model, Models } from './openapi/answers.ts';

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
        'Pictures are sent as `data:`; no address is fetched. Tools are the caller’s: their calls are handed on and their results taken back. A parameter that the model does not take is refused by name.',
      request: ChatRequest,
      answer: ChatCompletion,
      streams: true,
    },
    answer: completeChat,
  },
  {
    method: 'POST',
    path: '/v1/embeddings',
    scope: 'embeddings',
    doc: {
      id: 'embed',
      summary: 'Vectors of texts',
      description: 'By the model that the operator has chosen with `EMBEDDINGS_ENDPOINT`.',
      request: EmbeddingsRequest,
      answer: Embeddings,
    },
    answer: embed,
  },
];
