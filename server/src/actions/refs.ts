// Follows the local references of an OpenAPI document, and copies its schemas for models: only known keywords, without
// references and patterns. A pattern could hold up the process for minutes.
import { SPEC_NODES_MAX } from '@parley/schema/assistants/actions';
import { isObject } from '@parley/schema/json';
import type { JsonSchema } from '../providers/tool-spec.ts';
import { valueAtPointer } from '../providers/tools/json-pointer.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The document has too many schemas, counted each time that they are referred to. */
export class TooComplex extends Error {
  override name = 'TooComplex';
}

export interface Resolver {
  /** The object itself, or the one that its reference leads to; null when there is none. */
  follow(node: unknown): Fields | null;
  /** @throws TooComplex */
  schema(node: unknown): JsonSchema;
}

/** How deep schemas and references may be nested; what is deeper accepts anything. */
const DEPTH_MAX = 32;
const DESCRIPTION_MAX = 1_000;
const DEFAULT_MAX = 1_000;
const ENUM_MAX = 500;
const FORMAT_MAX = 32;
/** Of names and of strings in an `enum`, in characters. */
export const NAME_MAX = 200;
/** Of all schemas, in characters: a text counts each time that it is referred to. */
const TEXT_MAX = 1_000_000;

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];

/** `warn` is called with each reference that leads nowhere. Other documents are never fetched. */
export function createResolver(document: unknown, warn: (reference: string) => void): Resolver {
  let nodes = 0;
  let characters = 0;
  return {
    follow(node) {
      let found = node;
      for (let hops = 0; hops <= DEPTH_MAX; hops++) {
        if (!isObject(found)) return null;
        if (typeof found.$ref !== 'string') return found;
        found = target(found.$ref);
      }
      return null;
    },
    schema: (node) => schemaOf(node, 0, []),
  };

  function target(reference: string): unknown {
    const found = valueAtPointer(document, reference);
    if (found === undefined) warn(reference);
    return found;
  }

  /** `open` are the references that lead here: following one of them again would never end. */
  function schemaOf(node: unknown, depth: number, open: readonly string[]): JsonSchema {
    if (++nodes > SPEC_NODES_MAX) throw new TooComplex('The document has too many schemas');
    if (!isObject(node) || depth > DEPTH_MAX) return {};
    if (typeof node.$ref === 'string') {
      if (open.includes(node.$ref)) return {};
      return schemaOf(target(node.$ref), depth + 1, [...open, node.$ref]);
    }
    const below = (child: unknown) => schemaOf(child, depth + 1, open);
    const plain = plainKeywords(node);
    characters += JSON.stringify(plain).length;
    if (characters > TEXT_MAX) throw new TooComplex('The schemas have too much text');
    const copied = { ...plain, ...nestedKeywords(node, below) };
    return withAllOf(withNull(node, copied), asList(node.allOf).map(below));
  }
}

/** Keywords without schemas in them, in the form of OpenAPI 3.1. */
function plainKeywords(node: Fields): JsonSchema {
  const remaining: [string, unknown][] = [];
  const types = asList(node.type)
    .slice(0, TYPES.length)
    .filter((type) => TYPES.includes(String(type)));
  if (types.length > 0) remaining.push(['type', types.length === 1 ? types[0] : types]);
  for (const key of ['title', 'description'] as const)
    if (typeof node[key] === 'string') remaining.push([key, node[key].slice(0, DESCRIPTION_MAX)]);
  if (typeof node.format === 'string' && node.format.length <= FORMAT_MAX) remaining.push(['format', node.format]);
  for (const key of NUMBERS) if (Number.isFinite(node[key])) remaining.push([key, node[key]]);
  for (const key of COUNTS) if (Number.isSafeInteger(node[key])) remaining.push([key, node[key]]);
  // In OpenAPI 3.0 these are flags of the bound beside them.
  if (node.exclusiveMinimum === true) remaining.push(['exclusiveMinimum', node.minimum]);
  if (node.exclusiveMaximum === true) remaining.push(['exclusiveMaximum', node.maximum]);
  if (node.uniqueItems === true) remaining.push(['uniqueItems', true]);
  if (Array.isArray(node.enum)) remaining.push(['enum', node.enum.slice(0, ENUM_MAX).filter(isShortWord)]);
  if (isShortWord(node.const)) remaining.push(['const', node.const]);
  if (isShort(node.default)) remaining.push(['default', node.default]);
  if (isShort(node.example)) remaining.push(['examples', [node.example]]);
  const required = asList(node.required).slice(0, ENUM_MAX).filter(isName);
  if (required.length > 0) remaining.push(['required', required]);
  return Object.fromEntries(remaining.filter(([, value]) => value !== undefined));
}

function nestedKeywords(node: Fields, below: (child: unknown) => JsonSchema): JsonSchema {
  const remaining: [string, unknown][] = [];
  if (isObject(node.properties))
    remaining.push([
      'properties',
      Object.fromEntries(
        Object.entries(node.properties).flatMap(([name, child]) => (isName(name) ? [[name, below(child)]] : [])),
      ),
    ]);
  if (isObject(node.items)) remaining.push(['items', below(node.items)]);
  const { additionalProperties: others } = node;
  if (typeof others === 'boolean') remaining.push(['additionalProperties', others]);
  else if (isObject(others)) remaining.push(['additionalProperties', below(others)]);
  for (const key of ['oneOf', 'anyOf'] as const)
    if (Array.isArray(node[key])) remaining.push([key, node[key].map(below)]);
  return Object.fromEntries(remaining);
}

/** OpenAPI 3.0 has a flag where 3.1 has a type. */
function withNull(node: Fields, schema: JsonSchema): JsonSchema {
  if (node.nullable !== true || schema.type === undefined) return schema;
  const types = [...new Set([...asList(schema.type), 'null'])];
  return { ...schema, type: types, ...(Array.isArray(schema.enum) && { enum: [...new Set([...schema.enum, null])] }) };
}

/** Objects that are combined become one, which models and checkers understand better. */
function withAllOf(schema: JsonSchema, parts: readonly JsonSchema[]): JsonSchema {
  if (parts.length === 0) return schema;
  if (!parts.every((part) => isObjectSchema(part))) return { ...schema, allOf: parts };
  const all = [...parts, schema];
  const required = [...new Set(all.flatMap((part) => asList(part.required)))];
  return {
    ...Object.assign({}, ...all),
    type: 'object',
    properties: Object.assign({}, ...all.map((part) => part.properties)),
    ...(required.length > 0 && { required }),
  };
}

export function isObjectSchema(schema: JsonSchema): boolean {
  return isObject(schema.properties) || asList(schema.type).includes('object');
}

/** A single value counts as a list of one. */
export function asList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined ? [] : [value];
}

export function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= NAME_MAX;
}

function isShortWord(value: unknown): boolean {
  return isPlain(value) && String(value).length <= NAME_MAX;
}

function isPlain(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** Whether a value is small enough to be copied. Nested ones are left out: they may contain each other. */
function isShort(value: unknown): boolean {
  const isFlatList = Array.isArray(value) && value.length <= ENUM_MAX && value.every(isPlain);
  return (isPlain(value) || isFlatList) && JSON.stringify(value).length <= DEFAULT_MAX;
}
