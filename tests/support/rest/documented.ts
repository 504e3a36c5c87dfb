// Each answer of `/api` is one that its document has: its status, its type, and JSON and events of that shape.
import { askRows, unknownAskRows } from '@parley/server/rest/ask-rows';
import { filePaths } from '@parley/server/rest/openapi/file-paths';
import { restDocument } from '@parley/server/rest/openapi/rest-document';
import { routes } from '@parley/server/rest/routes';
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

interface Content {
  schema: object;
  'x-events'?: Record<string, object>;
  'x-line'?: object;
}
interface Documented {
  content?: Record<string, Content>;
  /** Of a response that paths share. */
  $ref?: string;
}
type Responses = Record<string, Documented>;

const asks = askRows((Object.keys(endpointTable) as EndpointType[]).map((type) => ({ type, isLenient: false })));
const rows = [...routes, ...asks, ...unknownAskRows, ...filePaths];
const document = restDocument({ title: '', url: '', version: '' }, rows) as {
  paths: Record<string, Record<string, { responses: Responses }>>;
  components: { schemas: object; responses: Responses };
};
const patterns = rows.map(({ method, path }) => ({
  method,
  path,
  pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`),
}));

const formats = { uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, 'date-time': /^\d{4}-\d\d-\d\dT[\d:.]+Z$/ };
const ajv = new Ajv2020({ strict: false, formats, allErrors: true });
const validators = new Map<object, ValidateFunction>();

/** @throws Error for an answer that is not documented; other paths are nobody's concern here */
export async function assertDocumented(method: string, url: string, response: Response): Promise<void> {
  const found = findResponse(method, url, response.status);
  if (!found) return;
  const { said, documented } = found;
  if (!documented) throw new Error(`${said}, which /api/openapi.json does not have`);
  const type = typeOf(response);
  const isEmpty = response.body === null || response.status === 304 || response.headers.get('content-length') === '0';
  if (type === null || isEmpty) return;
  const content = documented.content?.[type];
  if (!content) throw new Error(`${said} as ${type}, of which /api/openapi.json says nothing`);
  if (type === 'application/json') assertShape(content.schema, await response.clone().json(), said);
}

/** Sends a request, and has the answer held to the document. */
export async function fetchDocumented(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  await assertDocumented(init.method ?? 'GET', url, response);
  return response;
}

/** @throws Error for a line that is of another shape than the document says */
export function assertDocumentedLine({ url, status }: Response, value: unknown): void {
  const found = findResponse('POST', url, status);
  const schema = found?.documented?.content?.['application/x-ndjson']?.['x-line'];
  if (found && schema) assertShape(schema, value, `A line of ${found.said}`);
}

/** @throws Error for an event that the document does not have, or whose data is of another shape */
export function assertDocumentedEvent({ url, status }: Response, name: string, data: unknown): void {
  const found = findResponse('POST', url, status);
  const events = found?.documented?.content?.['text/event-stream']?.['x-events'];
  if (!found || !events) return;
  const schema = events[name];
  const said = `The event ${name} of ${found.said}`;
  if (!schema) throw new Error(`${said} is not in /api/openapi.json`);
  assertShape(schema, data, said);
}

function findResponse(method: string, url: string, status: number) {
  const { pathname } = new URL(url);
  const row = patterns.find((one) => one.method === method && one.pattern.test(pathname));
  if (!row) return null;
  const responses = document.paths[row.path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.responses;
  const found = responses?.[status];
  const documented = found?.$ref ? document.components.responses[found.$ref.replace(/^.*\//, '')] : found;
  return { said: `${method} ${row.path} answers ${status}`, documented };
}

function typeOf(response: Response): string | null {
  return response.headers.get('content-type')?.replace(/;.*/, '') ?? null;
}

function assertShape(schema: object, value: unknown, said: string): void {
  const validate = validators.get(schema) ?? ajv.compile({ ...schema, components: document.components });
  validators.set(schema, validate);
  if (validate(value)) return;
  const faults = ajv.errorsText(validate.errors);
  throw new Error(`${said}, which is not of its shape: ${faults}\n${JSON.stringify(value).slice(0, 2000)}`);
}
