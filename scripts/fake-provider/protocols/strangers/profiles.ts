/**
 * Servers that speak OpenAI's protocol in their own way, as their documentation and their users tell: what each refuses and
 * in which words, what its templates of chats take, how it writes thoughts, ends and errors. A server is one row.
 */
import type { FinishReason } from '../../scenario.ts';

export type Stranger = {
  /** Refused parts of a request, by what they are; the words of the refusal, with its status. */
  refuses: Partial<Record<Refusable, Refused>>;
  /** Fields that are refused by name, and how. */
  fields: readonly string[];
  fieldRefused: (field: string) => Refused;
  /** How the rest of an answer that fails is told. */
  error: (status: number, message: string, code: string | null) => object | string;
  /** As an event in the midst of an answer; as `error` where it is absent. */
  errorEvent?: (message: string) => string;
  /** Where it puts thoughts: a field of its own, or tags in the text. */
  thoughts: 'reasoning_content' | 'reasoning' | 'reasoning_details' | 'tags' | 'closing tag' | 'parts';
  /** Its own words for how an answer ends; null: none at all, only the mark at the end of the stream. */
  words?: Partial<Record<FinishReason, string | null>>;
  /** Sent before each chunk. */
  keepAlive?: string;
};

export type Refusable =
  /** A name on a message that is not the user's. */
  | 'names'
  /** Instructions anywhere but at the beginning. */
  | 'late system'
  /** Instructions at all. */
  | 'system'
  /** An answer to go on with. */
  | 'last answer'
  /** Two turns of one role in a row, or an answer first. */
  | 'same turns'
  /** What a model is offered to call. */
  | 'tools'
  /** Calls of earlier steps. */
  | 'tool turns'
  /** Content that is no text. */
  | 'parts'
  /** Reasoning that is given back. */
  | 'given reasoning';

export type Refused = { status: number; body: object | string };

const plain = (status: number, message: string, code: string | null) => ({
  error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param: null, code },
});

const alternating =
  'After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.';
const firstSystem = 'System message must be at the beginning.';

export const strangers = {
  vllm: {
    refuses: {
      'late system': { status: 400, body: ofVllm(400, firstSystem) },
      'same turns': { status: 400, body: ofVllm(400, alternating) },
      'last answer': {
        status: 400,
        body: ofVllm(400, 'Cannot set `add_generation_prompt` to True when the last message is from the assistant.'),
      },
      tools: {
        status: 400,
        body: ofVllm(400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
      },
      parts: { status: 400, body: ofVllm(400, 'At most 0 image(s) may be provided in one prompt.') },
    },
    fields: [],
    fieldRefused: (field) => ({ status: 400, body: ofVllm(400, `Unsupported parameter: ${field}`) }),
    error: ofVllm,
    errorEvent: (message) => JSON.stringify({ error: ofVllm(500, message) }),
    thoughts: 'reasoning',
  },
  'llama.cpp': {
    refuses: {
      'late system': { status: 500, body: ofLlama(500, firstSystem) },
      'same turns': {
        status: 500,
        body: ofLlama(500, 'Conversation roles must alternate user/assistant/user/assistant/...'),
      },
      parts: {
        status: 500,
        body: ofLlama(
          500,
          'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
        ),
      },
      tools: { status: 500, body: ofLlama(500, 'tools param requires --jinja flag') },
    },
    fields: [],
    fieldRefused: (field) => ({ status: 400, body: ofLlama(400, `Unsupported param: ${field}`) }),
    error: ofLlama,
    errorEvent: (message) => JSON.stringify({ error: { code: 500, message, type: 'server_error' } }),
    thoughts: 'reasoning_content',
  },
  'lm studio': {
    refuses: {
      system: {
        status: 400,
        body: { error: 'Error rendering prompt with jinja template: "Only user and assistant roles are supported!".' },
      },
      'same turns': {
        status: 400,
        body: {
          error: 'Error rendering prompt with jinja template: "Conversation roles must alternate user/assistant/...".',
        },
      },
      'tool turns': {
        status: 400,
        body: { error: 'Error rendering prompt with jinja template: "Only user and assistant roles are supported!".' },
      },
    },
    fields: [],
    fieldRefused: (field) => ({ status: 400, body: { error: `'${field}' is not supported` } }),
    error: (_status, error) => ({ error }),
    errorEvent: (message) => JSON.stringify({ error: { message } }),
    thoughts: 'tags',
  },
  ollama: {
    refuses: {
      tools: {
        status: 400,
        body: plain(400, 'registry.ollama.ai/library/one does not support tools', null),
      },
      parts: { status: 400, body: plain(400, 'this model is missing data required for image input', null) },
    },
    fields: [],
    fieldRefused: (field) => ({ status: 400, body: plain(400, `json: unknown field "${field}"`, null) }),
    error: (_status, error) => ({ error }),
    errorEvent: (message) => JSON.stringify({ error: message }),
    thoughts: 'reasoning',
    words: { tool_calls: 'stop' },
  },
  xai: {
    refuses: {
      names: { status: 400, body: ofXai("Only messages of role 'user' can have a name.") },
    },
    fields: ['presence_penalty', 'frequency_penalty', 'stop'],
    fieldRefused: (field) => ({ status: 400, body: ofXai(`Argument not supported on this model: ${camel(field)}`) }),
    error: (_status, message) => ofXai(message),
    thoughts: 'reasoning_content',
  },
  groq: {
    refuses: {
      'given reasoning': {
        status: 400,
        body: plain(
          400,
          "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
          null,
        ),
      },
      parts: { status: 400, body: plain(400, "'messages.0' : messages[0].content must be a string", null) },
    },
    fields: ['user', 'logit_bias'],
    fieldRefused: (field) => ({ status: 400, body: plain(400, `property '${field}' is unsupported`, null) }),
    error: plain,
    thoughts: 'reasoning',
  },
  'la plateforme': {
    refuses: {
      names: ofMistral(['body', 'messages', 0, 'system', 'name']),
      'same turns': {
        status: 400,
        body: {
          object: 'error',
          message: 'Conversation roles must alternate user/assistant/user/assistant/...',
          type: 'invalid_request_message_order',
          code: '3230',
        },
      },
      'last answer': {
        status: 400,
        body: {
          object: 'error',
          message: 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
          type: 'invalid_request_message_order',
          code: '3230',
        },
      },
    },
    fields: ['user', 'stream_options'],
    fieldRefused: (field) => ofMistral(['body', field]),
    error: (_status, message, code) => ({ object: 'error', message, type: 'invalid_request_error', param: null, code }),
    thoughts: 'parts',
    words: { length: 'model_length' },
  },
  deepseek: {
    refuses: {
      'same turns': {
        status: 400,
        body: plain(
          400,
          'deepseek-reasoner does not support successive user or assistant messages. You should interleave the user/assistant messages.',
          'invalid_request_error',
        ),
      },
      parts: {
        status: 400,
        body: 'Failed to deserialize the JSON body into the target type: messages[0]: unknown variant `image_url`, expected `text` at line 1 column 210',
      },
    },
    fields: [],
    fieldRefused: (field) => ({ status: 400, body: plain(400, `${field} is not supported`, null) }),
    error: plain,
    thoughts: 'reasoning_content',
    keepAlive: ': keep-alive\n\n',
  },
  openrouter: {
    refuses: {
      parts: { status: 404, body: ofRouter(404, 'No endpoints found that support image input') },
      tools: { status: 404, body: ofRouter(404, 'No endpoints found that support tool use.') },
    },
    fields: [],
    fieldRefused: (field) => ({ status: 400, body: ofRouter(400, `Unsupported parameter: ${field}`) }),
    error: ofRouter,
    thoughts: 'reasoning_details',
    words: { stop: 'STOP', length: 'MAX_TOKENS' },
    keepAlive: ': OPENROUTER PROCESSING\n\n',
  },
  litellm: {
    refuses: {},
    fields: ['user', 'frequency_penalty'],
    fieldRefused: (field) => ({
      status: 400,
      body: plain(
        400,
        `litellm.UnsupportedParamsError: one does not support parameters: ['${field}'], for model=one. To drop these, set \`litellm.drop_params=True\`. Received Model Group=one`,
        '400',
      ),
    }),
    error: (status, message) =>
      plain(status, `litellm.APIError: APIError: OpenAIException - ${message}`, String(status)),
    errorEvent: (message) => JSON.stringify({ error: { message, type: null, param: null, code: '500' } }),
    thoughts: 'closing tag',
    words: { stop: null },
  },
  // vLLM behind a gateway that checks each field, with Qwen's template, which opens the tag of thoughts itself.
  gpustack: {
    refuses: {
      'late system': { status: 400, body: ofVllm(400, firstSystem) },
      'same turns': { status: 400, body: ofVllm(400, alternating) },
    },
    fields: ['stream_options'],
    fieldRefused: (field) => ({
      status: 422,
      body: { detail: [{ type: 'extra_forbidden', loc: ['body', field], msg: 'Extra inputs are not permitted' }] },
    }),
    error: ofVllm,
    errorEvent: (message) => JSON.stringify({ error: ofVllm(500, message) }),
    thoughts: 'closing tag',
  },
  gateway: {
    refuses: {},
    fields: ['stream_options', 'parallel_tool_calls', 'seed'],
    fieldRefused: (field) => ({
      status: 422,
      body: { detail: [{ type: 'extra_forbidden', loc: ['body', field], msg: 'Extra inputs are not permitted' }] },
    }),
    error: (_status, detail) => ({ detail }),
    errorEvent: (message) => JSON.stringify({ message, code: 500 }),
    thoughts: 'tags',
    words: { length: 'maxTokens', stop: 'eos_token' },
    keepAlive: 'event: ping\ndata:\n\n',
  },
} satisfies Record<string, Stranger>;

export type StrangerName = keyof typeof strangers;

function ofVllm(code: number, message: string): object {
  return { object: 'error', message, type: code < 500 ? 'BadRequestError' : 'InternalServerError', param: null, code };
}

function ofLlama(code: number, message: string): object {
  return { error: { code, message, type: code < 500 ? 'invalid_request_error' : 'server_error' } };
}

function ofXai(error: string): object {
  return { code: 'Client specified an invalid argument', error };
}

function ofMistral(loc: (string | number)[]): Refused {
  const detail = [{ type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted', input: null }];
  const body = { object: 'error', message: { detail }, type: 'invalid_request_error', param: null, code: null };
  return { status: 422, body };
}

/** Gateways quote the provider behind them. */
function ofRouter(code: number, message: string): object {
  return code < 500
    ? { error: { message, code } }
    : { error: { message: 'Provider returned error', code, metadata: { raw: message, provider_name: 'Fake' } } };
}

function camel(field: string): string {
  return field.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
