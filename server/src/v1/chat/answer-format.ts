// `response_format`: the shape of an answer.
import * as z from 'zod';
import type { AnswerFormat } from '../../providers/answers/answer-format.ts';
import { refuseField } from '../api-error.ts';

const Name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'A name has 1 to 64 letters, digits, _ and -');

const ResponseFormat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({
      name: Name.optional(),
      description: z.string().nullish(),
      schema: z.record(z.string(), z.unknown()).optional(),
      strict: z.boolean().nullish(),
    }),
  }),
]);

/** @throws ApiError for what is no format of the protocol */
export function answerFormat(asked: unknown): AnswerFormat | undefined {
  if (asked === undefined || asked === null) return undefined;
  const { success, data } = ResponseFormat.safeParse(asked);
  if (!success)
    refuseField('response_format', 'The format is text, json_object, or json_schema with a name and a schema.');
  if (data.type === 'text') return undefined;
  if (data.type === 'json_object') return {};
  const { description, ...format } = data.json_schema;
  return { ...format, ...(description && { description }) };
}
