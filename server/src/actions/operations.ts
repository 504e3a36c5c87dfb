// The operations of an OpenAPI document, with their arguments as one JSON schema each.
import { cutText, visibleText } from '@parley/schema/tools/foreign-text';
import { isFreeHeader } from '@parley/schema/assistants/action-inputs';
import type { ActionMethod, ActionOperation } from '@parley/schema/assistants/operations';
import { isObject } from '@parley/schema/json';
import type { JsonSchema } from '../providers/tool-spec.ts';
import { createUniqueNames } from '../tools/tool-names.ts';
import { operationName } from './names.ts';
import { isName, isObjectSchema, asList, NAME_MAX, type Fields, type Resolver } from './refs.ts';

const METHODS: readonly string[] = ['get', 'post', 'put', 'delete', 'patch'] satisfies ActionMethod[];
const OTHER_METHODS = ['head', 'options', 'trace'];
const DESCRIPTION_MAX = 1_024;
const PATH_MAX = 1_000;

interface Parameter {
  name: string;
  location: 'path' | 'query' | 'header';
  isRequired: boolean;
  schema: JsonSchema;
}

/** An operation whose schemas are not read yet. */
export interface FoundOperation extends Pick<ActionOperation, 'name' | 'method' | 'path' | 'description'> {
  /** What all operations of the path share. */
  item: Fields;
  operation: Fields;
}

/** The operations of all paths that can be called, in their order; at most `max`. */
export function findOperations(
  paths: Fields,
  resolver: Resolver,
  { max, warn }: { max: number; warn: (text: string) => void },
): FoundOperation[] {
  const unique = createUniqueNames(NAME_MAX);
  const found: FoundOperation[] = [];
  for (const [path, given] of Object.entries(paths)) {
    const item = resolver.follow(given);
    if (!item || path.length > PATH_MAX) continue;
    for (const [method, operation] of Object.entries(item)) {
      if (OTHER_METHODS.includes(method)) warn(`Unsupported HTTP method: ${method.toUpperCase()} ${path}`);
      if (!isMethod(method) || !isObject(operation)) continue;
      if (bodyTypeOf(operation.requestBody, resolver) === 'unsupported') {
        warn(`Unsupported content type: ${method.toUpperCase()} ${path}`);
        continue;
      }
      if (found.length === max) {
        warn(`The document has more than ${max} operations. The first ${max} are listed`);
        return found;
      }
      const name = unique(operationName(operation.operationId, method, path).slice(0, NAME_MAX));
      found.push({ name, method, path, description: descriptionOf(operation), item, operation });
    }
  }
  return found;
}

function descriptionOf({ summary, description }: Fields): string {
  const text = [summary, description].find((one) => typeof one === 'string' && one !== '');
  return cutText(visibleText(String(text ?? '')), DESCRIPTION_MAX);
}

/** An operation with its arguments. @throws TooComplex */
export function readOperation(
  { name, method, path, description, item, operation }: FoundOperation,
  resolver: Resolver,
): ActionOperation {
  const parameters = readParameters([...asList(item.parameters), ...asList(operation.parameters)], resolver);
  const body = readBody(operation.requestBody, resolver);
  const namesIn = (location: Parameter['location']) =>
    parameters.filter((one) => one.location === location).map((one) => one.name);
  return {
    name,
    method,
    path,
    description,
    parameters: argumentsSchema(parameters, body),
    pathArguments: namesIn('path'),
    queryArguments: namesIn('query'),
    headerArguments: namesIn('header'),
    body: body && { type: body.type, isWhole: !isObjectSchema(body.schema) },
  };
}

/** Those of the operation come last and replace the path's of the same name. Cookies are not sent. */
function readParameters(given: readonly unknown[], resolver: Resolver): Parameter[] {
  const byName = new Map<string, Parameter>();
  for (const node of given) {
    const parameter = resolver.follow(node);
    const location = parameter?.in;
    if (!parameter || !isName(parameter.name)) continue;
    if (location !== 'path' && location !== 'query' && location !== 'header') continue;
    if (location === 'header' && !(isFreeHeader(parameter.name) && !/^authorization$/i.test(parameter.name))) continue;
    const schema = resolver.schema(parameter.schema ?? firstContent(parameter.content)?.schema ?? {});
    const { description } = parameter;
    byName.set(parameter.name, {
      name: parameter.name,
      location,
      isRequired: location === 'path' || parameter.required === true,
      schema:
        typeof description === 'string' ? { ...schema, description: description.slice(0, DESCRIPTION_MAX) } : schema,
    });
  }
  return [...byName.values()];
}

interface Body {
  type: 'json' | 'form';
  schema: JsonSchema;
  isRequired: boolean;
}

/** The content type that is sent; null where nothing is. */
function bodyTypeOf(node: unknown, resolver: Resolver): { name: string; type: Body['type'] } | 'unsupported' | null {
  const body = node === undefined ? null : resolver.follow(node);
  if (!body || !isObject(body.content)) return null;
  const types = Object.keys(body.content);
  const json = types.find((type) => /^(?:application\/(?:[\w.-]+\+)?json\b|\*\/\*)/i.test(type));
  if (json !== undefined) return { name: json, type: 'json' };
  const form = types.find((type) => /^application\/x-www-form-urlencoded\b/i.test(type));
  if (form !== undefined) return { name: form, type: 'form' };
  return types.length > 0 ? 'unsupported' : null;
}

function readBody(node: unknown, resolver: Resolver): Body | null {
  const chosen = bodyTypeOf(node, resolver);
  const body = resolver.follow(node);
  if (chosen === null || chosen === 'unsupported' || !body || !isObject(body.content)) return null;
  const content = body.content[chosen.name];
  return {
    type: chosen.type,
    schema: resolver.schema(isObject(content) ? content.schema : {}),
    isRequired: body.required === true,
  };
}

/** The body's schema alone, or an object of the parameters; where an operation has both, they share one object. */
function argumentsSchema(parameters: readonly Parameter[], body: Body | null): JsonSchema {
  const fields = body && bodyFields(body);
  if (fields && parameters.length === 0) return fields;
  const required = [
    ...asList(fields?.required),
    ...parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  ];
  const { properties, ...rest } = fields ?? {};
  return {
    ...rest,
    type: 'object',
    properties: {
      ...(isObject(properties) && properties),
      ...Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    },
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}

/** A body that is no object becomes the argument `body`. */
function bodyFields({ schema, isRequired }: Body): JsonSchema {
  if (isObjectSchema(schema)) return { ...schema, type: 'object' };
  return { type: 'object', properties: { body: schema }, ...(isRequired && { required: ['body'] }) };
}

function firstContent(content: unknown): Fields | undefined {
  return isObject(content) ? Object.values(content).find(isObject) : undefined;
}

function isMethod(method: string): method is ActionMethod {
  return METHODS.includes(method);
}
