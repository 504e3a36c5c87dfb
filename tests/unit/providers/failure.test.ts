import { APIError } from 'openai';
import { reasonOfFailure } from '@parley/server/providers/failure';
import { expect, it } from 'vitest';

it.each([
  ['the sentence of the response', { message: 'No such model' }, 'No such model'],
  ['the words of the client where the response has no body', undefined, '400 status code (no body)'],
])('the reason of a refusal has %s', (_, body, text) => {
  const error = APIError.generate(400, body && { error: body }, undefined, new Headers());
  expect(reasonOfFailure(error, 'openAI')).toMatchObject({ type: 'provider_refused', status: 400, text });
});
