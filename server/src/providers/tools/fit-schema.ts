// Makes any JSON schema of a tool's arguments one that a protocol accepts, with the way back for the arguments.
import { isObject } from '@parley/schema/json';
import type { JsonSchema } from '../tool-spec.ts';
import type { ToolDialect } from './dialects.ts';
import { plainSchema, TooLarge } from './plain-schema.ts';

export interface FittedSchema {
  schema: JsonSchema;
  /** The names that the model gets in place of others, by the real ones; empty for most schemas. */
  renamed: ReadonlyMap<string, string>;
}

type Plain = Record<string, unknown>;

/** Tried in turn until the schema is small enough: what is nested deeper accepts anything of its type. */
const DEPTHS = [16, 8, 6, 5, 4, 3, 2, 1];
const NODES_MAX = 5_000;

const ANY_OBJECT: JsonSchema = { type: 'object', properties: {} };

/** @param charactersMax of the schema as JSON */
export function fitSchema(given: JsonSchema, dialect: ToolDialect, charactersMax: number): FittedSchema {
  for (const depthMax of DEPTHS) {
    const whole = attempt(given, depthMax);
    const schema = whole && forDialect(whole, dialect);
    if (!schema) continue;
    const renamed = renamedProperties(schema, dialect.propertyName);
    const named = withNames(schema, renamed);
    if (JSON.stringify(named).length <= charactersMax) return { schema: named, renamed };
  }
  return { schema: ANY_OBJECT, renamed: new Map() };
}

function attempt(given: JsonSchema, depthMax: number): JsonSchema | null {
  try {
    return plainSchema(given, { depthMax, nodesMax: NODES_MAX });
  } catch (error) {
    if (error instanceof TooLarge) return null;
    throw error;
  }
}

/** Only with keywords, types and formats that the protocol knows, at every depth. */
function forDialect(schema: JsonSchema, dialect: ToolDialect): JsonSchema {
  return eachSchema(schema, (one, isRequired) => {
    const known = withKnownRequired(one);
    const typed = dialect.types === 'single' ? withSingleType(known, isRequired) : known;
    const spread = dialect.mixesAnyOf ? typed : withAnyOfAlone(typed);
    return withKnownKeywords(spread, dialect);
  });
}

/** Changes each schema in it, the inner ones first. `isRequired` tells whether a property must be given. */
function eachSchema(
  schema: JsonSchema,
  change: (schema: Plain, isRequired: boolean) => Plain,
  isRequired = true,
): Plain {
  const inner = (child: unknown, isGiven = true) => (isObject(child) ? eachSchema(child, change, isGiven) : child);
  const { properties, items, anyOf, additionalProperties: others, required } = schema;
  const wanted = Array.isArray(required) ? required : [];
  const entries = isObject(properties) ? Object.entries(properties) : [];
  const changed = entries.map(([name, child]) => [name, inner(child, wanted.includes(name))] as const);
  const whole = {
    ...schema,
    ...(isObject(properties) && { properties: Object.fromEntries(changed) }),
    ...(items !== undefined && { items: inner(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((branch: unknown) => inner(branch)) }),
    ...(others !== undefined && { additionalProperties: inner(others) }),
  };
  return change(whole, isRequired);
}

/** Some refuse names that are required and not described. */
function withKnownRequired({ required, ...schema }: Plain): Plain {
  const { properties } = schema;
  if (!Array.isArray(required) || !isObject(properties)) return schema;
  const known = required.filter((name) => Object.hasOwn(properties, String(name)));
  return known.length > 0 ? { ...schema, required: known } : schema;
}

/** One type instead of a list. A property that need not be given is left out instead of being null. */
function withSingleType(schema: Plain, isRequired: boolean): Plain {
  if (!Array.isArray(schema.type)) return schema;
  const types = schema.type.filter((type) => isRequired || type !== 'null');
  if (types.length === 1) return { ...schema, type: types[0] };
  const { type: _type, description, ...others } = schema;
  const branches = types.map((type) => ({ ...ofType(others, type), type }));
  return { ...(description !== undefined && { description }), anyOf: branches };
}

/** The keywords that say something of this type. */
const OF_TYPES: Record<string, readonly string[]> = {
  string: ['minLength', 'maxLength', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
};

function ofType(schema: Plain, type: unknown): Plain {
  const own = OF_TYPES[String(type)] ?? [];
  const foreign = Object.values(OF_TYPES)
    .flat()
    .filter((key) => !own.includes(key));
  const remaining = Object.fromEntries(Object.entries(schema).filter(([key]) => !foreign.includes(key)));
  const { enum: values, ...rest } = remaining;
  const fitting = Array.isArray(values) ? values.filter((value) => isOfType(value, type)) : [];
  return fitting.length > 0 ? { ...rest, enum: fitting } : rest;
}

function isOfType(value: unknown, type: unknown): boolean {
  if (value === null) return type === 'null';
  if (typeof value === 'number') return type === 'number' || type === 'integer';
  return typeof value === type;
}

/** What stands beside a union goes into each of its branches, but for the words. */
function withAnyOfAlone({ anyOf, title, description, default: usual, ...beside }: Plain): Plain {
  const words = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
  if (!Array.isArray(anyOf)) return { ...beside, ...words, ...(usual !== undefined && { default: usual }) };
  const branches = anyOf.map((branch: unknown) => (isObject(branch) ? { ...beside, ...branch } : branch));
  return { ...words, anyOf: branches };
}

function withKnownKeywords(schema: Plain, { keywords, formats }: ToolDialect): Plain {
  const { format } = schema;
  const isKnown = (key: string) => {
    if (key === 'format' && formats && !formats.has(String(format))) return false;
    return !keywords || keywords.has(key);
  };
  const remaining = Object.fromEntries(Object.entries(schema).filter(([key]) => isKnown(key)));
  return keywords && !keywords.has('const') ? withPlainValues(remaining, schema) : remaining;
}

/** Where values can be only texts and numbers, and there is no word for a single one. */
function withPlainValues({ enum: _enum, ...kept }: Plain, { enum: values, const: only, type }: Plain): Plain {
  const listed = Array.isArray(values) ? values : only === undefined ? [] : [only];
  const plain = listed.filter((value) => typeof value === 'string' || typeof value === 'number');
  if (plain.length === 0) return kept;
  const isMixed = new Set(plain.map((value) => typeof value)).size > 1;
  const implied = typeof plain[0];
  return isMixed ? kept : { ...kept, type: type ?? implied, enum: plain };
}

const PROPERTY_MAX = 64;

/** The arguments whose names the protocol refuses, each with one that it takes and no other has. */
function renamedProperties({ properties }: JsonSchema, pattern: RegExp): Map<string, string> {
  const names = isObject(properties) ? Object.keys(properties) : [];
  const taken = new Set(names.filter((name) => pattern.test(name)));
  const renamed = new Map<string, string>();
  for (const name of names) {
    if (taken.has(name)) continue;
    const plain = plainName(name, pattern);
    let free = plain;
    for (let n = 2; taken.has(free); n++) free = `${plain.slice(0, PROPERTY_MAX - 1 - String(n).length)}_${n}`;
    taken.add(free);
    renamed.set(name, free);
  }
  return renamed;
}

function plainName(name: string, pattern: RegExp): string {
  const words = name.match(/[A-Za-z0-9]+/g) ?? [];
  const plain = words.join('_').slice(0, PROPERTY_MAX) || 'argument';
  return pattern.test(plain) ? plain : `_${plain}`.slice(0, PROPERTY_MAX);
}

function withNames(schema: JsonSchema, renamed: ReadonlyMap<string, string>): JsonSchema {
  const { properties, required } = schema;
  if (renamed.size === 0 || !isObject(properties)) return schema;
  const named = Object.entries(properties).map(([name, child]) => {
    const other = renamed.get(name);
    return other === undefined ? [name, child] : [other, withRealName(child, name)];
  });
  return {
    ...schema,
    properties: Object.fromEntries(named),
    ...(Array.isArray(required) && { required: required.map((name: string) => renamed.get(name) ?? name) }),
  };
}

/** The real name often says more than the other one, so it stands in for a description. */
function withRealName(schema: unknown, name: string): unknown {
  if (!isObject(schema) || schema.description !== undefined) return schema;
  return { ...schema, description: name.replaceAll(/\p{C}/gu, '') };
}
