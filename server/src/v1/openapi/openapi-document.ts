// The OpenAPI 3.1 document of `/v1`, from the rows that serve it.
import {
  jsonContent,
  createSchemas,
  openapiDocument,
  type Operation,
  type Schemas,
} from '../../http/openapi/openapi-document.ts';
import type { ApiRoute } from '../api-route.ts';
import { API_ROWS } from '../api-rows.ts';
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

export function v1Document({ title, url, version }: Record<'title' | 'url' | 'version', string>): object {
  const description =
    'Models of this server for programs, in OpenAI’s protocols and Anthropic’s: the official clients work by address and key.';
  const schemas = createSchemas();
  const operations = API_ROWS.map((row) => operationOf(row, schemas));
  return openapiDocument(
    {
      info: { title, version, description },
      url,
      security: [{ bearer: [] }, { header: [] }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'A key of this server: pk_…' },
          header: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        },
        schemas: schemas.components,
      },
    },
    operations,
  );
}

function operationOf({ method, path, scope, doc }: ApiRoute, schemas: Schemas): Operation {
  const { id, summary, description, request, answer, streams, error: errors = ApiErrorBody } = doc;
  const error = jsonContent(schemas.of(errors, 'output'));
  const events = { 'text/event-stream': { schema: { type: 'string' } } };
  const refusals = Object.entries(REFUSALS).map(([status, why]) => [status, { description: why, content: error }]);
  return {
    method,
    path,
    id,
    summary,
    description: [description, `Needs the scope \`${scope}\`.`].filter(Boolean).join(' '),
    body: request && schemas.of(request, 'input'),
    responses: {
      200: {
        description: 'The answer.',
        content: { ...jsonContent(schemas.of(answer, 'output')), ...(streams && events) },
      },
      ...Object.fromEntries(refusals),
    },
  };
}
