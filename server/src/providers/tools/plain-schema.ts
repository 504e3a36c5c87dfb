// Makes a JSON schema plain: valid by draft 2020-12, without references, and with no combination but `anyOf`. It may
// accept more than the original, never less in kind: arguments are checked by the original before a tool gets them.
import { isObject, listIn } from '@parley/schema/json';
import type { JsonSchema } from '../tool-spec.ts';
import { valueAtPointer } from './json-pointer.ts';

/** The schema is too large, counted with everything that its references lead to. */
export class TooLarge extends Error {
  override name = 'TooLarge';
}

export interface PlainOptions {
  /** What is nested deeper accepts anything of its type. */
  depthMax: number;
  nodesMax: number;
}

interface SchemaLocation {
  depth: number;
  /** The references that lead here: following one of them again would never end. */
  open: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;
type Plain = Record<string, unknown>;

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
const HOPS_MAX = 32;
/** Of a union that is made here. */
const BRANCHES_MAX = 16;

/** @throws TooLarge */
export function plainSchema(root: JsonSchema, { depthMax, nodesMax }: PlainOptions): JsonSchema {
  let nodes = 0;
  return asObject(plain(root, { depth: 0, open: [] }));

  function plain(given: unknown, at: SchemaLocation): Plain {
    if (++nodes > nodesMax) throw new TooLarge('The schema is too large');
    const { node, open } = followed(given, at.open);
    if (!node) return {};
    const own = plainKeywords(node);
    if (at.depth >= depthMax) return withItems(only(own, ['type', 'description', 'enum', 'const']));
    const below = (child: unknown) => plain(child, { depth: at.depth + 1, open });
    // Combinations describe the same value, so they are no deeper.
    const beside = (child: unknown) => plain(child, { depth: at.depth, open });
    const parts = listIn(node.allOf).map(beside);
    const whole = parts.reduce(merge, withNested(own, node, below));
    const unions = [node.anyOf, node.oneOf].flatMap((union) => (Array.isArray(union) ? [union.map(beside)] : []));
    return withItems(unions.reduce(withUnion, whole));
  }

  /** The schema that references lead to, with what stands beside them. */
  function followed(given: unknown, before: readonly string[]): { node: Fields | null; open: readonly string[] } {
    let node = isObject(given) ? given : null;
    let open = before;
    for (let hops = 0; node && '$ref' in node; hops++) {
      const { $ref: reference, ...siblings }: Fields = node;
      const isUsable = typeof reference === 'string' && !open.includes(reference) && hops < HOPS_MAX;
      if (!isUsable) return { node: siblings, open };
      const target = reference === '#' ? root : valueAtPointer(root, reference);
      open = [...open, reference];
      node = isObject(target) ? { ...target, ...siblings } : siblings;
    }
    return { node, open };
  }
}

const TEXTS = ['title', 'description', 'format'];
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];

/** The keywords without schemas in them. Those of older drafts and of OpenAPI are written as today's. */
function plainKeywords(node: Fields): Plain {
  const remaining: Plain = {};
  const types = [...new Set([node.type].flat())].filter((type) => TYPES.includes(String(type)));
  if (types.length > 0) remaining.type = types.length === 1 ? types[0] : types;
  for (const key of TEXTS) if (typeof node[key] === 'string') remaining[key] = node[key];
  for (const key of NUMBERS) if (Number.isFinite(node[key])) remaining[key] = node[key];
  for (const key of COUNTS) if (Number.isSafeInteger(node[key]) && Number(node[key]) >= 0) remaining[key] = node[key];
  if (Number(node.multipleOf) > 0) remaining.multipleOf = Number(node.multipleOf);
  // In draft 4 these are flags of the bound beside them.
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const)
    if (node[flag] === true && remaining[bound] !== undefined) {
      remaining[flag] = remaining[bound];
      delete remaining[bound];
    }
  if (node.uniqueItems === true) remaining.uniqueItems = true;
  if (Array.isArray(node.enum) && node.enum.length > 0) remaining.enum = withoutRepeats(node.enum);
  if (node.const !== undefined) remaining.const = node.const;
  if (node.default !== undefined) remaining.default = node.default;
  const required = listIn(node.required).filter((name) => typeof name === 'string');
  if (required.length > 0) remaining.required = [...new Set(required)];
  return node.nullable === true ? withNull(remaining) : remaining;
}

/** OpenAPI 3.0 has a flag where JSON Schema has a type. */
function withNull(schema: Plain): Plain {
  if (schema.type === undefined) return schema;
  const values = Array.isArray(schema.enum) ? { enum: withoutRepeats([...schema.enum, null]) } : {};
  const types = [...new Set([schema.type, 'null'].flat())];
  return { ...schema, type: types.length === 1 ? 'null' : types, ...values };
}

function withNested(own: Plain, node: Fields, below: (child: unknown) => Plain): Plain {
  const remaining = { ...own };
  if (isObject(node.properties)) {
    const properties = Object.entries(node.properties).map(([name, child]) => [name, below(child)] as const);
    remaining.properties = Object.fromEntries(properties);
  }
  const { additionalProperties: others } = node;
  if (typeof others === 'boolean') remaining.additionalProperties = others;
  else if (isObject(others)) remaining.additionalProperties = below(others);
  // A list of schemas, one for each place, has no form that all protocols know.
  const places = [node.prefixItems, node.items].find((items) => Array.isArray(items));
  if (places) remaining.items = union(places.map(below));
  else if (isObject(node.items)) remaining.items = below(node.items);
  return remaining;
}

/** Providers refuse lists whose items are not described. */
function withItems(schema: Plain): Plain {
  const isList = [schema.type].flat().includes('array');
  return isList && schema.items === undefined ? { ...schema, items: {} } : schema;
}

/** What both describe. */
export function merge(one: Plain, other: Plain): Plain {
  const both: Plain = { ...one, ...other };
  const properties = mergeProperties(one.properties, other.properties, merge);
  if (properties) both.properties = properties;
  const required = [...new Set([...listIn(one.required), ...listIn(other.required)])];
  if (required.length > 0) both.required = required;
  if (typeof one.description === 'string') both.description = one.description;
  if (Array.isArray(one.enum) && Array.isArray(other.enum)) {
    const values = other.enum.map((value) => JSON.stringify(value));
    const shared = one.enum.filter((value) => values.includes(JSON.stringify(value)));
    if (shared.length > 0) both.enum = shared;
  }
  return both;
}

function mergeProperties(one: unknown, other: unknown, join: (a: Plain, b: Plain) => Plain): Plain | undefined {
  if (!isObject(one)) return isObject(other) ? { ...other } : undefined;
  if (!isObject(other)) return { ...one };
  const joined = Object.entries(other).map(([name, schema]) => {
    const known = Object.hasOwn(one, name) ? one[name] : undefined;
    return [name, isObject(known) && isObject(schema) ? join({ ...known }, { ...schema }) : schema] as const;
  });
  return Object.fromEntries([...Object.entries(one), ...joined]);
}

/** The schema of a value that is one of these, too. */
function withUnion(schema: Plain, branches: readonly Plain[]): Plain {
  if (branches.length === 0) return schema;
  // Those that only say which properties go together describe no value; what the others add may be there.
  if (branches.some(isVague)) {
    const { properties } = oneOf(branches);
    return properties ? merge(schema, { properties }) : schema;
  }
  const joined = union(branches);
  return 'anyOf' in joined && !('anyOf' in schema) ? { ...schema, ...joined } : merge(schema, joined);
}

function isVague(schema: Plain): boolean {
  return !['type', 'properties', 'items', 'enum', 'const', 'anyOf'].some((key) => key in schema);
}

function union(branches: readonly Plain[]): Plain {
  const flat = branches.flatMap((branch) => (isOnlyUnion(branch) ? listIn(branch.anyOf).filter(isObject) : [branch]));
  const [first = {}, ...more] = withoutRepeats(flat);
  if (more.length === 0) return first;
  return { anyOf: [first, ...more].slice(0, BRANCHES_MAX) };
}

function isOnlyUnion(schema: Plain): boolean {
  return 'anyOf' in schema && Object.keys(schema).length === 1;
}

/** Of an object, with all properties that any form of it has: providers refuse combinations at the top. */
function asObject({ anyOf, const: _const, enum: _enum, items: _items, ...schema }: Plain): JsonSchema {
  const forms = listIn(anyOf).filter((form): form is Plain => isObject(form) && isObject(form.properties));
  const whole = forms.length > 0 ? merge(schema, oneOf(forms)) : schema;
  const properties = isObject(whole.properties) ? whole.properties : {};
  const required = listIn(whole.required).filter((name) => typeof name === 'string');
  // A name that is required, and not described, would be refused.
  const unknown = required.filter((name) => !Object.hasOwn(properties, name)).map((name) => [name, {}] as const);
  const { required: _required, default: _default, ...rest } = whole;
  return {
    ...rest,
    type: 'object',
    properties: { ...properties, ...Object.fromEntries(unknown) },
    ...(required.length > 0 && { required }),
  };
}

/** One object for all forms: required is what every form requires. */
function oneOf(forms: readonly Plain[]): Plain {
  const either = (one: Plain, other: Plain) => union([one, other]);
  const properties = forms.reduce<Plain | undefined>((all, form) => {
    return mergeProperties(all, form.properties, either);
  }, undefined);
  const required = listIn(forms[0]?.required).filter((name) =>
    forms.every((form) => listIn(form.required).includes(name)),
  );
  const isClosed = forms.every((form) => form.additionalProperties === false);
  return {
    ...(properties && { properties }),
    ...(required.length > 0 && { required }),
    ...(isClosed && { additionalProperties: false }),
  };
}

function withoutRepeats<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

function only(schema: Plain, keys: readonly string[]): Plain {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => keys.includes(key)));
}
