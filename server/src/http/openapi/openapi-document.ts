// OpenAPI 3.1 documents, made from the rows that serve the paths.
import * as z from 'zod';

export interface Operation {
  method: string;
  /** With `{name}` for what varies. */
  path: string;
  id?: string;
  summary: string;
  description?: string | undefined;
  tag?: string;
  /** Its parameters in the query, by name; each may be left out. */
  query?: Readonly<Record<string, string>> | undefined;
  body?: object | undefined;
  /** The types that its body comes in. */
  bodyTypes?: readonly string[];
  /** Whether it may be called without its body. */
  isBodyOptional?: boolean;
  responses: Readonly<Record<string, object>>;
  /** Empty for everybody; absent for what the document says of all. */
  security?: readonly object[] | undefined;
}

interface Head {
  info: { title: string; version: string; description: string };
  url: string;
  security: readonly object[];
  components: object;
}

const JSON_TYPE = 'application/json';

export function openapiDocument({ info, url, security, components }: Head, operations: readonly Operation[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const one of operations) (paths[one.path] ??= {})[one.method.toLowerCase()] = operationObject(one);
  return { openapi: '3.1.0', info, servers: [{ url }], security, paths, components };
}

function operationObject(operation: Operation): object {
  const {
    id,
    summary,
    description,
    tag,
    body,
    bodyTypes = [JSON_TYPE],
    isBodyOptional,
    responses,
    security,
  } = operation;
  const parameters = parametersOf(operation);
  return {
    ...(id && { operationId: id }),
    ...(tag && { tags: [tag] }),
    summary,
    ...(description && { description }),
    ...(security && { security }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !isBodyOptional,
        content: Object.fromEntries(bodyTypes.map((type) => [type, { schema: body }])),
      },
    }),
    responses,
  };
}

function parametersOf({ path, query = {} }: Operation): object[] {
  const schema = { type: 'string' };
  const names = [...path.matchAll(/\{([A-Za-z_]{1,40})\}/g)].map(([, name = '']) => name);
  return [
    ...names.map((name) => ({ name, in: 'path', required: true, schema })),
    ...Object.entries(query).map(([name, description]) => ({ name, in: 'query', description, schema })),
  ];
}

/** What comes as JSON. */
export function jsonContent(schema: object): Record<string, object> {
  return { [JSON_TYPE]: { schema } };
}

export interface Schemas {
  of(schema: z.ZodType, io: 'input' | 'output'): object;
  /** Those that have an id, by it. */
  components: Readonly<Record<string, object>>;
}

/** The schemas of one document: those with an id are its components, and others refer to them. */
export function createSchemas(): Schemas {
  const components: Record<string, object> = {};
  const known = { input: new Map<z.ZodType, object>(), output: new Map<z.ZodType, object>() };
  return {
    components,
    of(schema, io) {
      const before = known[io].get(schema);
      if (before) return before;
      const made = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
      const referring = JSON.parse(made.replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
      const { $schema: _dialect, $defs = {}, ...rest } = referring;
      Object.assign(components, $defs);
      known[io].set(schema, rest);
      return rest;
    },
  };
}

interface JsonSchema {
  $schema?: string;
  $defs?: Record<string, object>;
}
