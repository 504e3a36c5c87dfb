// Names of arguments that a protocol refuses, at every depth, and the way back.
import { isObject } from '@parley/schema/json';
import type { JsonSchema } from '../tool-spec.ts';

type Plain = Record<string, unknown>;

const PROPERTY_MAX = 64;

/** The names that the protocol refuses, each with one that it takes and that no other has anywhere in the schema. */
export function renamedProperties(schema: JsonSchema, pattern: RegExp): Map<string, string> {
  const names = new Set<string>();
  collectNames(schema, names);
  const taken = new Set([...names].filter((name) => pattern.test(name)));
  const renamed = new Map<string, string>();
  for (const name of names) {
    if (pattern.test(name)) continue;
    const plain = plainName(name, pattern);
    let free = plain;
    for (let n = 2; taken.has(free); n++) free = `${plain.slice(0, PROPERTY_MAX - 1 - String(n).length)}_${n}`;
    taken.add(free);
    renamed.set(name, free);
  }
  return renamed;
}

function collectNames(schema: unknown, names: Set<string>): void {
  if (!isObject(schema)) return;
  const { properties, items, additionalProperties, anyOf } = schema;
  const entries = isObject(properties) ? Object.entries(properties) : [];
  for (const [name] of entries) names.add(name);
  for (const inner of [...entries.map(([, child]) => child), items, additionalProperties]) collectNames(inner, names);
  if (Array.isArray(anyOf)) for (const branch of anyOf) collectNames(branch, names);
}

function plainName(name: string, pattern: RegExp): string {
  const words = name.match(/[A-Za-z0-9]+/g) ?? [];
  const plain = words.join('_').slice(0, PROPERTY_MAX) || 'argument';
  return pattern.test(plain) ? plain : `_${plain}`.slice(0, PROPERTY_MAX);
}

/** The schema with other names. */
export function withNames(schema: JsonSchema, renamed: ReadonlyMap<string, string>): JsonSchema {
  const inner = (child: unknown) => (isObject(child) ? withNames(child, renamed) : child);
  const { properties, required, items, additionalProperties, anyOf } = schema;
  const named = Object.entries(isObject(properties) ? properties : {}).map(([name, child]) => {
    const other = renamed.get(name);
    return [other ?? name, other === undefined ? inner(child) : withRealName(inner(child), name)] as const;
  });
  return {
    ...schema,
    ...(isObject(properties) && { properties: Object.fromEntries(named) }),
    ...(Array.isArray(required) && { required: required.map((name: string) => renamed.get(name) ?? name) }),
    ...(items !== undefined && { items: inner(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: inner(additionalProperties) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(inner) }),
  };
}

/** The real name often says more than the other one, so it stands in for a description. */
function withRealName(schema: unknown, name: string): unknown {
  if (!isObject(schema) || schema.description !== undefined || 'anyOf' in schema) return schema;
  return { ...schema, description: name.replaceAll(/\p{C}/gu, '') };
}

/**
 * Arguments with the names of their properties replaced. Only what the schema describes has other names: the keys of an
 * object that may have any are data.
 * @param schema describes the arguments as they are given
 */
export function renameArguments(value: unknown, schema: unknown, names: ReadonlyMap<string, string>): unknown {
  return renamedBy(value, [schema], names);
}

function renamedBy(value: unknown, schemas: readonly unknown[], names: ReadonlyMap<string, string>): unknown {
  const nodes = schemas.flatMap(branchesOf);
  if (Array.isArray(value)) {
    const items = nodes.map((node) => node.items);
    return value.map((one) => renamedBy(one, items, names));
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => {
    const described = nodes.flatMap(({ properties }) =>
      isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
    );
    if (described.length > 0) return [names.get(name) ?? name, renamedBy(inner, described, names)] as const;
    return [
      name,
      renamedBy(
        inner,
        nodes.map(({ additionalProperties }) => additionalProperties),
        names,
      ),
    ] as const;
  });
  return Object.fromEntries(entries);
}

/** Every schema that the value may be one of. */
function branchesOf(schema: unknown): Plain[] {
  if (!isObject(schema)) return [];
  return [schema, ...(Array.isArray(schema.anyOf) ? schema.anyOf.flatMap(branchesOf) : [])];
}
