import { asFields, isObject } from '@parley/schema/json';

/** The rules by which providers refuse the schema of an answer. */

type Fields = Record<string, unknown>;

/** OpenAI's: a strict schema is closed, and requires all of its properties. */
export function refusedAnswerSchema({
  name,
  schema,
  strict,
}: {
  name: string;
  schema?: Fields | undefined;
  strict?: boolean | null | undefined;
}): string | undefined {
  if (!schema) return undefined;
  const words = `Invalid schema for response_format '${name}'`;
  if (schema.type !== 'object')
    return `${words}: schema must be a JSON Schema of 'type: "object"', got 'type: "${String(schema.type)}"'.`;
  if (!strict) return undefined;
  for (const node of objectsIn(schema)) {
    if (node.additionalProperties !== false)
      return `${words}: In context=(), 'additionalProperties' is required to be supplied and to be false.`;
    const names = Object.keys(asFields(node.properties));
    const required: unknown[] = Array.isArray(node.required) ? node.required : [];
    const missing = names.find((one) => !required.includes(one));
    if (missing !== undefined)
      return `${words}: In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
  }
  return undefined;
}

const NOT_BY_CLAUDE = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'pattern',
  'oneOf',
  'not',
];

/** Anthropic's, by its documentation. */
export function refusedByClaudeFormat(schema: Fields): string | undefined {
  for (const node of objectsIn(schema))
    if (node.additionalProperties !== false)
      return "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false";
  for (const node of schemasIn(schema)) {
    const unknown = NOT_BY_CLAUDE.find((key) => key in node);
    if (unknown !== undefined)
      return `output_config.format.schema: For '${String(node.type)}' type, property '${unknown}' is not supported`;
  }
  return undefined;
}

function objectsIn(schema: Fields): Fields[] {
  return schemasIn(schema).filter(({ type }) => type === 'object');
}

function schemasIn(schema: unknown): Fields[] {
  if (!isObject(schema)) return [];
  const { properties, items, anyOf, allOf, $defs } = schema;
  const inner = [Object.values(asFields(properties)), items, anyOf, allOf, Object.values(asFields($defs))];
  return [schema, ...inner.flat(2).flatMap(schemasIn)];
}
