// The shape of Claude's answers.
// https://platform.claude.com/docs/en/build-with-claude/structured-outputs
import { claudeGeneration } from '@parley/schema/catalog/claude';
import { isObject } from '@parley/schema/json';
import type { FormatWay } from '../answers/answer-tool.ts';
import type { ProviderCall } from '../provider.ts';
import type { JsonSchema } from '../tool-spec.ts';
import { toolDialects } from '../tools/dialects.ts';
import { fitSchema } from '../tools/fit-schema.ts';
import { takesForcedCalls } from './thinking.ts';

/** In characters. */
const SCHEMA_MAX = 32_000;
/** Claude is held to the types of an answer, not to the bounds of its numbers, texts and lists. */
const ANSWERS = {
  ...toolDialects.anthropic,
  keywords: new Set(
    'type format title description enum const items anyOf properties additionalProperties required'.split(' '),
  ),
  formats: new Set('date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' ')),
  mixesAnyOf: false,
};

/** The first generation that takes them. */
const FIRST = 4.5;

export function formatWay(call: ProviderCall): FormatWay {
  if (answerSchema(call)) return 'native';
  return takesForcedCalls(call.model) ? 'tool' : 'told';
}

/** The schema as Claude takes it; null where the model takes none, or not one like this. */
export function answerSchema({ model, format }: Pick<ProviderCall, 'model' | 'format'>): JsonSchema | null {
  const { schema } = format ?? {};
  if (!schema || (claudeGeneration(model) ?? 0) < FIRST || isOpen(schema)) return null;
  const fitted = fitSchema(schema, ANSWERS, SCHEMA_MAX);
  return fitted.renamed.size > 0 ? null : closed(fitted.schema);
}

/** Every object in it takes no other properties than its own; null where a part of it has no type. */
function closed(schema: JsonSchema): JsonSchema | null {
  const { type, properties, items, anyOf, enum: values, const: only } = schema;
  if ([type, anyOf, values, only].every((one) => one === undefined)) return null;
  const named = Object.entries(isObject(properties) ? properties : {});
  const inner = [...named.map(([, child]) => child), ...(items ? [items] : []), ...(Array.isArray(anyOf) ? anyOf : [])];
  const children = new Map(inner.map((child: unknown) => [child, isObject(child) ? closed(child) : null] as const));
  if ([...children.values()].includes(null)) return null;
  const isOfObjects = [type].flat().includes('object');
  return {
    ...schema,
    ...(isOfObjects && {
      properties: Object.fromEntries(named.map(([name, child]) => [name, children.get(child)])),
      additionalProperties: false,
    }),
    ...(items !== undefined && { items: children.get(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((branch: unknown) => children.get(branch)) }),
  };
}

/** Whether it has objects with names of the model's choice: here every object is closed. */
function isOpen(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(isOpen);
  if (!isObject(schema)) return false;
  const { additionalProperties: others } = schema;
  return others === true || isObject(others) || Object.values(schema).some(isOpen);
}
