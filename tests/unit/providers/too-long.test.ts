// The words of real services for a prompt that is too long; their sources stand beside the patterns.
import { reasonOfStatus } from '@parley/server/providers/status';
import { describe, expect, it } from 'vitest';

const reasonOf = (text: string, code?: string, status = 400) => reasonOfStatus({ status, code, text }, 'openAI');

describe('a prompt that is too long for a model', () => {
  it.each([
    [
      'OpenAI',
      "This model's maximum context length is 4097 tokens. However, your messages resulted in 4619 tokens. Please reduce the length of the messages.",
      4619,
      4097,
    ],
    [
      'OpenAI with the answer',
      "This model's maximum context length is 4097 tokens. However, you requested 4268 tokens (4012 in the messages, 256 in the completion).",
      4268,
      4097,
    ],
    [
      'OpenRouter',
      "This endpoint's maximum context length is 131072 tokens. However, you requested about 150001 tokens (150001 of text input).",
      150_001,
      131_072,
    ],
    ['Anthropic', 'prompt is too long: 200251 tokens > 200000 maximum', 200_251, 200_000],
    [
      'Google',
      'The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).',
      1_200_293,
      1_048_576,
    ],
    [
      'Cohere',
      'too many tokens: total number of tokens (prompt and prediction) cannot exceed 2048 - received 6354. Try using a shorter prompt or a smaller max_tokens value.',
      6354,
      2048,
    ],
    [
      'Mistral',
      'Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      65_673,
      32_768,
    ],
    ['xAI', "This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 537_812, 131_072],
  ])('has a reason of its own by the words of %s', (_who, text, tokens, window) => {
    expect(reasonOf(text)).toEqual({ type: 'context_too_long', tokens, window });
  });

  it.each([
    ['a code', 'Please reduce the length.', 'context_length_exceeded', 400],
    ['a code in mid-stream', '', 'context_length_exceeded', 500],
    ['words without numbers', 'Your input exceeds the context window of this model.', undefined, 400],
    [
      'words with numbers that are added up',
      'input length and `max_tokens` exceed context limit: 199211 + 20000 > 200000',
      'invalid_request_error',
      400,
    ],
    [
      'a local server',
      'the request exceeds the available context size (4096 tokens), try increasing it',
      undefined,
      500,
    ],
  ])('has it without numbers by %s', (_what, text, code, status) => {
    expect(reasonOf(text, code, status)).toEqual({ type: 'context_too_long', tokens: null, window: null });
  });

  it('is no reason for other refusals', () => {
    expect(reasonOf('max_tokens is too large: 9000')).toMatchObject({ type: 'provider_refused' });
    expect(reasonOf('Request too large for tokens per minute', 'rate_limit_exceeded', 413)).toMatchObject({
      type: 'provider_rate_limited',
    });
  });
});
