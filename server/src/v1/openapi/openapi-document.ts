// The OpenAPI 3.1 document of `/v1`, from the rows that serve it.
import * as z from 'zod';
import type { ApiRoute } from '../api-route.ts';
import { ApiErrorBody } from './answers.ts';

/** What every row may answer beside its answer. */
const REFUSALS: Readonly<Record<string, string>> = {
  400: 'The request is not valid, or the model does not take it; `param` names the field.',
  401: 'Without a key that is in use.',
  403: 'The key is not for this, or its person is banned.',
  404: 'The model is not there, or the key is not for it.',
  413: 'The body is too large.',
  429: 'A limit, the balance or the limit of the key; `Retry-After` tells when to try again, where that helps.',
  500: 'Something went wrong on the server.',
  502: 'The provider did not answer.',
  503: 'The server is busy.',
};

const ERROR = { $ref: '#/components/schemas/Error' };

export function openapiDocument(
  rows: readonly ApiRoute[],
  { title, url, version }: Record<'title' | 'url' | 'version', string>,
) {
  const paths: Record<string, Record<string, object>> = {};
  for (const row of rows) (paths[row.path] ??= {})[row.method.toLowerCase()] = operationOf(row);
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description:
        'Models of this server for programs, in OpenAI’s protocol: the official clients work by address and key.',
    },
    servers: [{ url }],
    security: [{ bearer: [] }, { header: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A key of this server: pk_…' },
        header: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      },
      schemas: { Error: schemaOf(ApiErrorBody, 'output') },
    },
  };
}

function operationOf({ path, scope, doc }: ApiRoute): object {
  const { id, summary, description, request, answer, streams } = doc;
  const names = [...path.matchAll(/\{([a-z_]{1,40})\}/g)].map(([, name = '']) => name);
  const events = { 'text/event-stream': { schema: { type: 'string' } } };
  const refusals = Object.entries(REFUSALS).map(([status, why]) => [status, jsonAnswer(why, ERROR)]);
  return {
    operationId: id,
    summary,
    description: [description, `Needs the scope \`${scope}\`.`].filter(Boolean).join(' '),
    ...(names.length > 0 && {
      parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    }),
    ...(request && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(request, 'input') } } },
    }),
    responses: {
      200: {
        description: 'The answer.',
        content: { 'application/json': { schema: schemaOf(answer, 'output') }, ...(streams && events) },
      },
      ...Object.fromEntries(refusals),
    },
  };
}

function jsonAnswer(description: string, schema: object): object {
  return { description, content: { 'application/json': { schema } } };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
