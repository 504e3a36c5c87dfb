/** Finds the calls that a question asks for: `call calculator {"input":"2+2"}`. Each line with calls is one step. */
import { parseJson } from '@parley/schema/json';
import type { OfferedTool } from './tools-in-request.ts';

export type Wanted = { name: string; input: string };

const CALL = /\bcall ([A-Za-z0-9_-]+) (?=\{)/g;

/** One list for each step. A tool may be named by the beginning of its name. */
export function callsIn(question: string, offered: readonly OfferedTool[]): Wanted[][] {
  const steps = question
    .split('\n')
    .map((line) => [...line.matchAll(CALL)].map((match) => wanted(match, line, offered)));
  return steps.filter((calls) => calls.length > 0);
}

/** A call of the first tool, for questions that name none. */
export function anyCall([first]: readonly OfferedTool[]): Wanted[] {
  return first ? [{ name: first.name, input: JSON.stringify(objectFor(first.parameters)) }] : [];
}

function wanted(match: RegExpMatchArray, line: string, offered: readonly OfferedTool[]): Wanted {
  const [whole, asked = ''] = match;
  const tool = offered.find(({ name }) => name === asked) ?? offered.find(({ name }) => name.startsWith(asked));
  return { name: tool?.name ?? asked, input: objectAt(line, (match.index ?? 0) + whole.length) };
}

/** The JSON object that begins here; the rest of the line where it has no end. */
function objectAt(line: string, start: number): string {
  for (let end = line.indexOf('}', start); end !== -1; end = line.indexOf('}', end + 1)) {
    const text = line.slice(start, end + 1);
    if (parseJson(text) !== undefined) return text;
  }
  return line.slice(start);
}

/** An object of this schema: a value of the right type for each property that it requires. */
export function objectFor(parameters: Record<string, unknown>): Record<string, unknown> {
  const properties = Object(parameters.properties) as Record<string, Loose>;
  const required = Array.isArray(parameters.required) ? parameters.required.map(String) : [];
  return Object.fromEntries(required.map((name) => [name, valueFor(properties[name] ?? {})]));
}

type Loose = { type?: unknown; enum?: unknown[]; items?: Loose; anyOf?: Loose[]; const?: unknown };

function valueFor(schema: Loose): unknown {
  const { type, enum: choices, items, anyOf, const: only } = schema;
  if (choices) return choices[0];
  if (only !== undefined) return only;
  if (anyOf?.[0]) return valueFor(anyOf[0]);
  switch ([type].flat()[0]) {
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return items ? [valueFor(items)] : [];
    case 'object':
      return objectFor(schema);
    default:
      return 'x';
  }
}
