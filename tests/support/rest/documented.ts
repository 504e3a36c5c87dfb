// Each answer of `/api` is one that its document has, with a body or without one as it says.
import { askRows, unknownAskRows } from '@parley/server/rest/ask-rows';
import { restDocument } from '@parley/server/rest/openapi/rest-document';
import { routes } from '@parley/server/rest/routes';
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';

type Responses = Record<string, { content?: object }>;

const asks = askRows((Object.keys(endpointTable) as EndpointType[]).map((type) => ({ type, isLenient: false })));
const rows = [...routes, ...asks, ...unknownAskRows];
const document = restDocument({ title: '', url: '', version: '' }, rows) as {
  paths: Record<string, Record<string, { responses: Responses }>>;
};
const patterns = rows.map(({ method, path }) => ({
  method,
  path,
  pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`),
}));

/** @throws Error for an answer that is not documented; other paths are nobody's concern here */
export function assertDocumented(method: string, url: string, response: Response): void {
  const { pathname } = new URL(url);
  const row = patterns.find((one) => one.method === method && one.pattern.test(pathname));
  if (!row) return;
  const known = document.paths[row.path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.responses;
  const documented = known?.[response.status];
  const said = `${method} ${row.path} answers ${response.status}`;
  if (!documented) throw new Error(`${said}, which /api/openapi.json does not have`);
  const hasBody = response.headers.get('content-type') !== null;
  if (hasBody && !documented.content) throw new Error(`${said} with a body, of which /api/openapi.json says nothing`);
}
