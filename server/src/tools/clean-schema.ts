// Makes a foreign JSON schema safe to be sent to models and to check arguments with.
import { isObject } from '@parley/schema/json';
import { visibleText } from '@parley/schema/tools/foreign-text';
import type { JsonSchema } from '../providers/tool-spec.ts';

/** The deepest and the largest schema that is kept; a larger one takes any object. */
const DEPTH_MAX = 32;
const NODES_MAX = 5000;
const CHARACTERS_MAX = 64_000;

/** Keywords that are left out: foreign patterns can run for ever, and the others name something outside. */
const REMOVED = new Set(['pattern', 'patternProperties', '$schema', '$id', '$anchor', '$dynamicRef', '$dynamicAnchor']);
/** Keywords whose keys are names and not keywords. */
const MAPS = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords whose values are data and not schemas. */
const DATA = new Set(['enum', 'const', 'default', 'example', 'examples', 'required']);
/** Keywords that may have the value null. Any other that is null is one that its server leaves out. */
const NULLABLE = new Set(['const', 'default', 'example']);

/** Keywords whose values are words for the model. */
const TEXTS = new Set(['title', 'description']);

const ANY_OBJECT: JsonSchema = { type: 'object', properties: {} };

/**
 * A schema of an object, without patterns and without references to anything outside of it. What is no such schema, or
 * too large, becomes one that takes any object.
 */
export function cleanSchema(foreign: unknown): JsonSchema {
  const budget = { nodes: NODES_MAX };
  const safe = safeSchema(foreign, budget, 0);
  if (!isObject(safe) || budget.nodes < 0) return ANY_OBJECT;
  const whole = { ...safe, type: 'object', properties: isObject(safe.properties) ? safe.properties : {} };
  return JSON.stringify(whole).length > CHARACTERS_MAX ? ANY_OBJECT : whole;
}

interface Budget {
  nodes: number;
}

function safeSchema(value: unknown, budget: Budget, depth: number): unknown {
  budget.nodes -= 1;
  if (budget.nodes < 0 || depth > DEPTH_MAX) return {};
  if (Array.isArray(value)) return value.filter((one) => one !== null).map((one) => safeSchema(one, budget, depth + 1));
  if (!isObject(value)) return value;
  if ((value.$ref ?? undefined) !== undefined && !isLocalReference(value.$ref)) return {};
  const remaining = Object.entries(value).filter(([name, inner]) => !REMOVED.has(name) && isGiven(name, inner, value));
  return Object.fromEntries(remaining.map(([name, inner]) => [name, safeKeyword(name, inner, budget, depth + 1)]));
}

function isGiven(name: string, value: unknown, { type }: Readonly<Record<string, unknown>>): boolean {
  if (value !== null) return true;
  // A text, say, that must be null is none that anyone can give.
  if (name === 'const' && type !== undefined && type !== null) return [type].flat().includes('null');
  return NULLABLE.has(name);
}

function safeKeyword(name: string, value: unknown, budget: Budget, depth: number): unknown {
  if (DATA.has(name)) return value;
  if (TEXTS.has(name) && typeof value === 'string') return visibleText(value);
  if (!MAPS.has(name) || !isObject(value)) return safeSchema(value, budget, depth);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, safeSchema(inner ?? {}, budget, depth + 1)]),
  );
}

function isLocalReference(reference: unknown): boolean {
  return typeof reference === 'string' && reference.startsWith('#/');
}
