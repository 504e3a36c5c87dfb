// The document of `/api` follows from the rows that serve it: none is left out, and neither is a status.
import { Validator } from '@seriousme/openapi-schema-validator';
import { askRows, unknownAskRows } from '@parley/server/rest/ask-rows';
import { respondRefused } from '@parley/server/rest/errors';
import { filePaths } from '@parley/server/rest/openapi/file-paths';
import { restDocument } from '@parley/server/rest/openapi/rest-document';
import type { DocumentedPath } from '@parley/server/rest/route';
import { routes } from '@parley/server/rest/routes';
import { reasonStatus, reasonText } from '@parley/server/platform/reasons';
import type { Reason } from '@parley/schema/reasons';
import { describe, expect, it } from 'vitest';
import { assertDocumented } from '../../support/rest/documented.ts';

interface Response {
  content?: Record<string, { schema?: object }>;
}
interface Operation {
  summary: string;
  security?: object[];
  parameters?: { name: string; in: string }[];
  requestBody?: { required: boolean; content: Record<string, { schema: { properties?: object } }> };
  responses: Record<string, Response>;
}

const rows = [...routes, ...askRows([{ type: 'openAI', isLenient: false }]), ...unknownAskRows];
const documented: readonly DocumentedPath[] = [...rows, ...filePaths];
const document = restDocument({ title: 'Parley', url: 'https://chat.example.com', version: '1.0.0' }, documented) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; responses: Record<string, Response> };
};

function operationOf(method: string, path: string): Operation | undefined {
  return document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
}

/** One reason of each status, and those that paths answer in their own way. */
const reasons: Reason[] = [
  { type: 'invalid_reset_token' },
  { type: 'unauthorized' },
  { type: 'token_balance', balance: 1, promptTokens: 2, tokenCost: 3 },
  { type: 'banned', until: '2024-05-01T12:00:00.000Z' },
  { type: 'registration_closed' },
  { type: 'not_found', what: 'convo' },
  { type: 'conflict', text: 'It is there' },
  { type: 'invalid_input', text: 'name: must be a string' },
  { type: 'too_many_attempts', retryAfterSeconds: 1 },
  { type: 'provider_unavailable', status: 503 },
  { type: 'unavailable' },
  { type: 'storage_full' },
];

describe('the document of /api', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('has every row, its body, and the people it is for', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(operations).toHaveLength(documented.length);
    for (const { method, path, isPublic, keyScope, doc } of documented) {
      const operation = operationOf(method, path);
      expect(operation?.summary, path).toBe(doc.summary);
      expect(operation?.requestBody !== undefined, path).toBe(doc.body !== undefined || doc.bodyTypes !== undefined);
      const names = operation?.parameters?.filter((one) => one.in === 'path').map(({ name }) => name) ?? [];
      expect(names, path).toEqual([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
      const opensToKeys = JSON.stringify(operation?.security ?? []).includes('"key"');
      expect([path, opensToKeys]).toEqual([path, keyScope !== undefined && !isPublic]);
    }
    expect(operationOf('POST', '/api/convos/clear')?.requestBody?.required).toBe(false);
    expect(operationOf('POST', '/api/tags')?.requestBody?.required).toBe(true);
    const asked = operationOf('POST', '/api/ask/openAI')?.requestBody?.content['application/json'];
    expect(Object.keys(asked?.schema.properties ?? {})).toEqual(expect.arrayContaining(['text', 'parentMessageId']));
  });

  it('has a shape of everything that is JSON, and names shapes that it has', () => {
    const { schemas, responses } = document.components;
    const shapes = Object.keys(schemas);
    const own = documented.map(
      ({ method, path }) => [`${method} ${path}`, operationOf(method, path)?.responses] as const,
    );
    for (const [path, answers] of [...own, ['all', responses] as const])
      for (const [status, { content = {} }] of Object.entries(answers ?? {})) {
        const json = content['application/json'];
        if (json) expect(Object.keys(json.schema ?? {}), `${path} ${status}`).not.toEqual([]);
      }
    const named = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(shapes));
  });

  it.each(rows.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s has what it answers to each refusal, by status, type and shape',
    async (_, row) => {
      const path = row.path.replaceAll(/:\w+/g, 'x');
      for (const reason of reasons) {
        const refused = { reason, status: reasonStatus(reason), text: reasonText(reason), violation: null };
        const answer = row.refused?.(refused, { query: new URLSearchParams() }) ?? respondRefused(refused);
        await assertDocumented(row.method, `http://127.0.0.1${path}`, answer);
      }
    },
  );
});
