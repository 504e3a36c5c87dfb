// The OpenAPI 3.1 document of `/api`, from the rows that serve it.
import { openapiDocument, responseObject, type Operation } from '../../http/openapi/openapi-document.ts';
import type { Answer, Route } from '../route.ts';

/** What every row may answer beside its own answers (docs/rest-compat.md); without a session only that of 401. */
const REFUSALS: Readonly<Record<string, Answer>> = {
  400: 'What is asked for cannot be done, such as by a model that is not offered; or the body is no JSON object.',
  401: { says: 'Without a good token or key.', type: 'text/plain' },
  402: 'The balance or the budget is used up.',
  403: 'The person is banned, has to add a second factor or may not do it; or the key is not for it.',
  404: 'It is not there, or is somebody else’s.',
  409: 'It does not fit what is there.',
  413: 'The body is too large.',
  415: 'The body is of another type, or its charset is unknown.',
  422: 'The input is not valid; each finding is `field: reason`.',
  429: 'A limit; where `Retry-After` stands, it tells when to try again.',
  500: 'Something went wrong on the server.',
  502: 'The provider failed.',
  503: 'The server is busy.',
  507: 'The disk is full.',
};

const MESSAGE = { $ref: '#/components/schemas/Message' };
const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded'];

export function restDocument(
  { title, url, version }: Record<'title' | 'url' | 'version', string>,
  rows: readonly Route[],
): object {
  const description =
    'The paths of existing clients, by a session or, where a path says so, by a key of its person. Ids of others are not there.';
  return openapiDocument(
    {
      info: { title, version, description },
      url,
      security: [{ session: [] }],
      components: {
        securitySchemes: {
          session: { type: 'http', scheme: 'bearer', description: 'The token of a sign-in, good for 15 minutes.' },
          key: { type: 'http', scheme: 'bearer', description: 'A key of this server: pk_…' },
          keyHeader: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        },
        schemas: {
          Message: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
        },
      },
    },
    rows.map(operationOf),
  );
}

function operationOf({ method, path, isPublic, keyScope, doc }: Route): Operation {
  const { summary, description, query, body, answers } = doc;
  const byKey = keyScope && `A key needs the scope \`${keyScope}\`.`;
  return {
    method,
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    tag: path.split('/')[2] ?? '',
    summary,
    description: [description, byKey].filter(Boolean).join(' '),
    query,
    body,
    bodyTypes: BODY_TYPES,
    isBodyOptional: body?.safeParse({}).success ?? true,
    responses: responsesOf(answers),
    security: securityOf(isPublic, keyScope !== undefined),
  };
}

function securityOf(isPublic: boolean, opensToKeys: boolean): object[] | undefined {
  if (isPublic) return [];
  return opensToKeys ? [{ session: [] }, { key: [] }, { keyHeader: [] }] : undefined;
}

function responsesOf(answers: Readonly<Record<string, Answer>>): Record<string, object> {
  const own = Object.entries(answers).map(([status, answer]) => [status, responseOf(answer, {})]);
  const shared = Object.entries(REFUSALS).map(([status, answer]) => [status, responseOf(answer, MESSAGE)]);
  return Object.fromEntries([...shared, ...own]) as Record<string, object>;
}

function responseOf(answer: Answer, schema: object): object {
  if (typeof answer === 'string') return responseObject(answer, undefined, schema);
  const { says, type } = answer;
  return responseObject(says, type === null ? [] : [type], { type: 'string' });
}
