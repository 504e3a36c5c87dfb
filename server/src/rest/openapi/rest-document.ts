// The OpenAPI 3.1 document of `/api`, from the rows that serve it.
import {
  jsonContent,
  createSchemas,
  openapiDocument,
  type Operation,
  type Schemas,
} from '../../http/openapi/openapi-document.ts';
import type { Answer, DocumentedPath, OtherAnswer } from '../route.ts';
import { Told } from '../shapes/shapes.ts';

/** What every row may answer beside its own answers (docs/rest-compat.md); without a session only that of 401. */
const REFUSALS: Readonly<Record<string, Answer>> = {
  400: 'What is asked for cannot be done, such as by a model that is not offered; or the body is no JSON object.',
  401: { says: 'Without a good token; a key that is not good has a message.', shape: Told, orText: true },
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

const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded'];

export function restDocument(
  { title, url, version }: Record<'title' | 'url' | 'version', string>,
  paths: readonly DocumentedPath[],
): object {
  const description =
    'The paths of existing clients, by a session or, where a path says so, by a key of its person. Ids of others are not there.';
  const schemas = createSchemas();
  const operations = paths.map((path) => operationOf(path, schemas));
  return openapiDocument(
    {
      info: { title, version, description },
      url,
      security: [{ session: [] }],
      components: {
        securitySchemes: {
          session: { type: 'http', scheme: 'bearer', description: 'The token of a sign-in, good for 15 minutes.' },
          key: { type: 'http', scheme: 'bearer', description: 'A key of this server: pk_…' },
          cookie: { type: 'apiKey', in: 'cookie', name: 'refreshToken', description: 'Of a sign-in.' },
          keyHeader: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        },
        responses: refusals(schemas),
        schemas: schemas.components,
      },
    },
    operations,
  );
}

function operationOf(documented: DocumentedPath, schemas: Schemas): Operation {
  const { method, path, keyScope, doc } = documented;
  const { summary, description, query, body, bodyTypes = BODY_TYPES, answers } = doc;
  const byKey = keyScope && `A key needs the scope \`${keyScope}\`.`;
  return {
    method,
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    tag: path.split('/')[2] ?? '',
    summary,
    description: [description, byKey].filter(Boolean).join(' '),
    query,
    body: body ? schemas.of(body, 'input') : doc.bodyTypes && {},
    bodyTypes,
    isBodyOptional: body?.safeParse({}).success ?? doc.bodyTypes === undefined,
    responses: responsesOf(answers, schemas),
    security: securityOf(documented),
  };
}

/** Undefined for what the document says of all. */
function securityOf({ isPublic, keyScope, opensToCookies }: DocumentedPath): object[] | undefined {
  if (isPublic) return [];
  if (!keyScope && !opensToCookies) return undefined;
  return [
    { session: [] },
    ...(keyScope ? [{ key: [] }, { keyHeader: [] }] : []),
    ...(opensToCookies ? [{ cookie: [] }] : []),
  ];
}

function responsesOf(answers: Readonly<Record<string, Answer>>, schemas: Schemas): Record<string, object> {
  const own = Object.entries(answers).map(([status, answer]) => [status, responseOf(answer, schemas)] as const);
  const shared = Object.keys(REFUSALS).map(
    (status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }] as const,
  );
  return Object.fromEntries([...shared, ...own]);
}

function refusals(schemas: Schemas): Record<string, object> {
  const all = Object.entries(REFUSALS);
  return Object.fromEntries(all.map(([status, answer]) => [nameOf(status), responseOf(answer, schemas)]));
}

function nameOf(status: string): string {
  return `Refused${status}`;
}

function responseOf(answer: Answer, schemas: Schemas): object {
  if (typeof answer === 'string') return responseOf({ says: answer, shape: Told }, schemas);
  if ('types' in answer) return { description: answer.says, ...contentOf(answer, schemas) };
  const { says, shape, orText } = answer;
  return { description: says, content: { ...jsonContent(schemas.of(shape, 'output')), ...(orText && AS_TEXT) } };
}

const TEXT = { type: 'string' };
const AS_TEXT = { 'text/plain': { schema: TEXT } };

/** OpenAPI 3.1 has no words for the events and the lines of a stream. */
function contentOf({ types, events, line }: OtherAnswer, schemas: Schemas): object {
  if (types.length === 0) return {};
  const data = Object.entries(events ?? {}).map(([name, shape]) => [name, schemas.of(shape, 'output')] as const);
  const more = {
    ...(data.length > 0 && { 'x-events': Object.fromEntries(data) }),
    ...(line && { 'x-line': schemas.of(line, 'output') }),
  };
  return {
    content: Object.fromEntries(types.map((type) => [type, { ...(isText(type) && { schema: TEXT }), ...more }])),
  };
}

function isText(type: string): boolean {
  return type.startsWith('text/') || type === 'application/x-ndjson';
}
