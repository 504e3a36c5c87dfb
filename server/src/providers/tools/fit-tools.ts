// The tools of a request as one protocol takes them, and their calls both ways: the model knows them by names that its
// provider accepts, everybody else by the real ones.
import { asFields, isObject, listIn, parseJson } from '@parley/schema/json';
import { cutText } from '@parley/schema/tools/foreign-text';
import type { FinishedCall } from '../provider.ts';
import type { JsonSchema, ToolSpec } from '../tool-spec.ts';
import type { ToolDialect } from './dialects.ts';
import { fitSchema, type FittedSchema } from './fit-schema.ts';
import { renameArguments } from './property-names.ts';

export interface FittedTools {
  /** In the order of the real ones. */
  specs: ToolSpec[];
  /** Whether any name differs from the real one. */
  isRenamed: boolean;
  toWire(call: FinishedCall): FinishedCall;
  nameToWire(name: string): string;
  nameFromWire(name: string): string;
  /** Whether arguments of this tool must be translated. */
  isTranslated(name: string): boolean;
  /** What the model wrote, with the real names. What is no JSON of an object is left as it is. */
  inputFromWire(name: string, input: string): string;
}

/** Of the schemas of all tools together, and of one, in characters. */
const ALL_MAX = 256_000;
const ONE_MAX = 32_000;
const ONE_MIN = 2_000;

export function fitTools(tools: readonly ToolSpec[], dialect: ToolDialect): FittedTools {
  const room = Math.max(ONE_MIN, Math.min(ONE_MAX, Math.floor(ALL_MAX / Math.max(1, tools.length))));
  const names = wireNames(tools, dialect.toolName);
  const realNames = new Map([...names].map(([real, wire]) => [wire, real]));
  const fitted = new Map(tools.map((tool) => [tool.name, fittedOnce(tool.parameters, dialect, room)]));
  const nameOnWire = (name: string) => names.get(name) ?? wireName(name, dialect.toolName);
  return {
    specs: tools.map((tool) => ({
      name: nameOnWire(tool.name),
      description: describe(tool, dialect.descriptionMax),
      parameters: fitted.get(tool.name)?.schema ?? {},
    })),
    isRenamed:
      [...names].some(([real, wire]) => real !== wire) || [...fitted.values()].some(({ renamed }) => renamed.size > 0),
    toWire: (call) => ({
      ...call,
      name: nameOnWire(call.name),
      input: toWire(call.input, fitted.get(call.name)),
    }),
    nameToWire: nameOnWire,
    nameFromWire: (name) => realNames.get(name) ?? name,
    isTranslated: (name) => (fitted.get(name)?.renamed.size ?? 0) > 0,
    inputFromWire: (name, input) => fromWire(input, fitted.get(name)),
  };
}

/** A schema is fitted once for each protocol: the steps of an answer offer the same ones. */
const known = new WeakMap<JsonSchema, Map<ToolDialect, { room: number; fitted: FittedSchema }>>();

function fittedOnce(schema: JsonSchema, dialect: ToolDialect, room: number): FittedSchema {
  const byDialect = known.get(schema) ?? new Map<ToolDialect, { room: number; fitted: FittedSchema }>();
  known.set(schema, byDialect);
  const before = byDialect.get(dialect);
  if (before?.room === room) return before.fitted;
  const fitted = fitSchema(schema, dialect, room);
  byDialect.set(dialect, { room, fitted });
  return fitted;
}

function wireNames(tools: readonly ToolSpec[], pattern: RegExp): Map<string, string> {
  const taken = new Set(tools.map(({ name }) => name).filter((name) => pattern.test(name)));
  const names = new Map<string, string>();
  for (const { name } of tools) {
    let free = wireName(name, pattern);
    for (let n = 2; free !== name && taken.has(free); n++) free = `${wireName(name, pattern).slice(0, 60)}_${n}`;
    taken.add(free);
    names.set(name, free);
  }
  return names;
}

/** Names of the registry differ at most in how they begin. */
function wireName(name: string, pattern: RegExp): string {
  return pattern.test(name) ? name : `_${name}`.slice(0, 64);
}

function describe({ description, parameters }: ToolSpec, max: number): string {
  const hint = choiceOf(parameters);
  if (hint === '') return cutText(description, max);
  return `${cutText(description, max - hint.length - 1)}\n${hint}`;
}

const CHOICE_MAX = 300;

/** Which arguments go together, where the schema says so at its top, which protocols refuse. */
function choiceOf({ anyOf, oneOf }: JsonSchema): string {
  const union = [anyOf, oneOf].find((list) => Array.isArray(list));
  const groups = listIn(union).map((form) => {
    const { required } = asFields(form);
    return Array.isArray(required) ? required.map(String).join(' and ') : '';
  });
  if (groups.length < 2 || groups.includes('')) return '';
  const text = `Give ${oneOf === union ? 'exactly' : 'at least'} one of: ${[...new Set(groups)].join('; ')}.`;
  return text.length <= CHOICE_MAX ? text : '';
}

function toWire(input: string, fitted: FittedSchema | undefined): string {
  return fitted ? translated(input, fitted.real, fitted.renamed) : input;
}

function fromWire(input: string, fitted: FittedSchema | undefined): string {
  if (!fitted) return input;
  return translated(input, fitted.schema, new Map([...fitted.renamed].map(([real, wire]) => [wire, real])));
}

function translated(input: string, schema: JsonSchema, names: ReadonlyMap<string, string>): string {
  const args = names.size > 0 ? parseJson(input) : undefined;
  return isObject(args) ? JSON.stringify(renameArguments(args, schema, names)) : input;
}
