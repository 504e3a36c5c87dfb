// What `/v1` answers, for its document.
import * as z from 'zod';

const Count = z.int().min(0);

export const Model = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: Count,
  owned_by: z.string(),
});
export const Models = z.object({ object: z.literal('list'), data: z.array(Model) });

const Usage = z.object({
  prompt_tokens: Count,
  completion_tokens: Count,
  total_tokens: Count,
  prompt_tokens_details: z.object({ cached_tokens: Count, cache_write_tokens: Count.optional() }),
  completion_tokens_details: z.object({ reasoning_tokens: Count }),
});
const Finish = z.enum(['stop', 'length', 'content_filter', 'tool_calls']);
const Call = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
  extra_content: z.unknown().optional(),
});
const Picture = z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) });

export const ChatCompletion = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: Count,
  model: z.string(),
  choices: z.array(
    z.object({
      index: Count,
      message: z.object({
        role: z.literal('assistant'),
        content: z.string().nullable(),
        refusal: z.null(),
        reasoning_content: z.string().optional(),
        tool_calls: z.array(Call).optional(),
        images: z.array(Picture).optional(),
      }),
      logprobs: z.null(),
      finish_reason: Finish,
    }),
  ),
  usage: Usage,
});

export const Embeddings = z.object({
  object: z.literal('list'),
  model: z.string(),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: Count,
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
  usage: z.object({ prompt_tokens: Count, total_tokens: Count }),
});

const Item = z.looseObject({
  type: z.enum(['message', 'reasoning', 'function_call', 'image_generation_call']),
  id: z.string(),
});

export const ResponseObject = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: Count,
  status: z.enum(['completed', 'incomplete']),
  model: z.string(),
  output: z.array(Item),
  usage: z.object({
    input_tokens: Count,
    input_tokens_details: z.object({ cached_tokens: Count }),
    output_tokens: Count,
    output_tokens_details: z.object({ reasoning_tokens: Count }),
    total_tokens: Count,
  }),
});

export const MessageObject = z.object({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(z.looseObject({ type: z.enum(['text', 'thinking', 'redacted_thinking', 'tool_use']) })),
  stop_reason: z.enum(['end_turn', 'max_tokens', 'refusal', 'tool_use']),
  stop_sequence: z.null(),
  usage: z.object({
    input_tokens: Count,
    cache_read_input_tokens: Count,
    cache_creation_input_tokens: Count,
    output_tokens: Count,
  }),
});

export const TokenCount = z.object({ input_tokens: Count });

export const MessagesErrorBody = z
  .object({
    type: z.literal('error'),
    error: z.object({ type: z.string(), message: z.string() }),
    request_id: z.null(),
  })
  .meta({ id: 'MessagesError' });

export const ApiErrorBody = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string().nullable(),
    }),
  })
  .meta({ id: 'Error' });
