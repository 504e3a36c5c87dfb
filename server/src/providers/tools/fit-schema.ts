// Makes any JSON schema of a tool's arguments one that a protocol accepts, with the way back for the arguments.
import { isObject } from '@parley/schema/json';
import type { JsonSchema } from '../tool-spec.ts';
import type { ToolDialect } from './dialects.ts';
import { merge, plainSchema, TooLarge } from './plain-schema.ts';
import { renamedProperties, withNames } from './property-names.ts';

export interface FittedSchema {
  schema: JsonSchema;
  /** The same with the real names. */
  real: JsonSchema;
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
    const named = renamed.size > 0 ? withNames(schema, renamed) : schema;
    if (JSON.stringify(named).length <= charactersMax) return { schema: named, real: schema, renamed };
  }
  const schema = dialect.takesEmpty ? ANY_OBJECT : { type: 'object' };
  return { schema, real: schema, renamed: new Map() };
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
  return eachSchema(schema, (one, isRequired) => fitNode(one, dialect, isRequired));
}

/** One schema, those inside of which fit already. */
function fitNode(schema: Plain, dialect: ToolDialect, isRequired: boolean): Plain {
  const known = withKnownKeywords(withKnownRequired(schema), dialect);
  const full = dialect.takesEmpty ? known : withoutEmpty(known, isRequired);
  if (dialect.besideAnyOf === 'all') return full;
  const { anyOf, title, description, default: _default, ...beside } = full;
  const words = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
  if (Array.isArray(anyOf)) {
    // What stands beside a union goes into each of its branches, but for the words.
    const branches = anyOf.map((branch: unknown) =>
      fitNode(merge(beside, isObject(branch) ? branch : {}), dialect, true),
    );
    return asUnion(branches, words, dialect, isRequired);
  }
  const typed = dialect.types === 'single' ? withSingleType(full, isRequired) : full;
  if (Array.isArray(typed.anyOf)) return asUnion(typed.anyOf.filter(isObject), words, dialect, isRequired);
  const type = typed.type ?? (dialect.keywords ? impliedType(typed) : undefined);
  return typeof type === 'string' ? { ...ofType(typed, type), type } : typed;
}

/** A schema of one of these, in the way that the protocol takes unions. */
function asUnion(given: readonly Plain[], words: Plain, { besideAnyOf }: ToolDialect, isRequired: boolean): Plain {
  const flat = given.flatMap((branch) =>
    Array.isArray(branch.anyOf) && Object.keys(branch).length === 1 ? branch.anyOf.filter(isObject) : [branch],
  );
  if (besideAnyOf === 'words') return { ...words, anyOf: flat };
  // A property that need not be given is left out instead of being null.
  const others = flat.filter(({ type }) => type !== 'null');
  const branches = isRequired || others.length === 0 ? flat : others;
  const [first, ...more] = branches.map((branch, n) => withDescription(branch, words.description, n === 0));
  return more.length === 0 ? (first ?? {}) : { anyOf: [first, ...more] };
}

/** The words about a union stand in its branches where nothing may stand beside it. */
function withDescription(branch: Plain, outer: unknown, isFirst: boolean): Plain {
  if (typeof outer !== 'string' || 'anyOf' in branch) return branch;
  const { description: own } = branch;
  if (typeof own !== 'string') return { ...branch, description: outer };
  return isFirst ? { ...branch, description: `${outer}\n${own}` } : branch;
}

/** Neither an empty text among values, nor an object whose properties are none. */
function withoutEmpty(schema: Plain, isRequired: boolean): Plain {
  const { properties, enum: values, ...others } = schema;
  const hasNone = isObject(properties) && Object.keys(properties).length === 0;
  const rest: Plain = { ...others, ...(properties !== undefined && !hasNone && { properties }) };
  if (!Array.isArray(values)) return rest;
  const full = values.filter((value) => value !== '');
  if (full.length === values.length) return { ...rest, enum: values };
  if (full.length === 0) return rest;
  // What need not be given is left out instead of being empty.
  if (!isRequired) return { ...rest, enum: full };
  const choice = `One of: ${values.map((value) => JSON.stringify(value)).join(', ')}.`;
  return { ...rest, description: typeof rest.description === 'string' ? `${rest.description}\n${choice}` : choice };
}

/** The type of a schema that names none, by what it says of its values. */
function impliedType({ properties, additionalProperties, items, enum: values }: Plain): string | undefined {
  if (properties !== undefined || additionalProperties !== undefined) return 'object';
  if (items !== undefined) return 'array';
  const types = new Set(Array.isArray(values) ? values.map((value) => typeof value) : []);
  const [type] = types;
  return types.size === 1 && type !== 'object' ? type : undefined;
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
  const kinds = new Set(listed.map((value) => typeof value));
  const [implied] = kinds.size === 1 ? kinds : [undefined];
  const typed = type === undefined && (implied === 'string' || implied === 'number' || implied === 'boolean');
  const rest = typed ? { ...kept, type: implied } : kept;
  return plain.length > 0 && new Set(plain.map((value) => typeof value)).size === 1 ? { ...rest, enum: plain } : rest;
}
