// Checks the arguments that a model wrote, before a tool gets them.
import { isObject, parseJson } from '@parley/schema/json';
import * as z from 'zod';
import type { JsonSchema } from '../providers/tool-spec.ts';

export type CheckedInput = { args: Record<string, unknown> } | { error: string };

const ISSUES_TOLD = 3;

/** The arguments, or a sentence for the model. An empty text is an empty object. */
export function checkInput(input: string, parameters: JsonSchema): CheckedInput {
  const args = parse(input);
  if (!args) return { error: 'The arguments are not a JSON object.' };
  const error = checkerOf(parameters)(args);
  return error === null ? { args } : { error };
}

/** The text with the arguments as one form of it, whatever its spaces; null when it is no JSON of an object. */
export function canonicalInput(input: string): string | null {
  const args = parse(input);
  return args && JSON.stringify(args);
}

function parse(input: string): Record<string, unknown> | null {
  const value = input.trim() === '' ? {} : parseJson(input);
  return isObject(value) ? value : null;
}

type Checker = (args: Record<string, unknown>) => string | null;

const checkers = new WeakMap<JsonSchema, Checker>();

function checkerOf(parameters: JsonSchema): Checker {
  const known = checkers.get(parameters);
  if (known) return known;
  const checker = createChecker(parameters);
  checkers.set(parameters, checker);
  return checker;
}

/** By the whole schema where it can be read, else by the names of its properties. */
function createChecker(parameters: JsonSchema): Checker {
  try {
    const schema = z.fromJSONSchema({ ...parameters });
    return (args) => {
      // Not compiled: that would take the right to make code of strings.
      const { error } = schema.safeParse(args, { jitless: true });
      return error ? sentenceOf(error) : null;
    };
  } catch {
    return (args) => missingOrUnknown(args, parameters);
  }
}

function sentenceOf({ issues }: z.ZodError): string {
  const told = issues.slice(0, ISSUES_TOLD).map(({ path, message }) => {
    return path.length > 0 ? `${path.join('.')}: ${message}` : message;
  });
  return `The arguments do not fit. ${told.join('; ')}`;
}

function missingOrUnknown(args: Record<string, unknown>, { required, properties, additionalProperties }: JsonSchema) {
  const wanted = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const missing = wanted.filter((name) => !Object.hasOwn(args, name));
  if (missing.length > 0) return `The arguments do not fit. Missing: ${missing.join(', ')}`;
  if (additionalProperties !== false || !isObject(properties)) return null;
  const unknown = Object.keys(args).filter((name) => !Object.hasOwn(properties, name));
  return unknown.length > 0 ? `The arguments do not fit. Unknown: ${unknown.join(', ')}` : null;
}
