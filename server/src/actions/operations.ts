// The operations of an OpenAPI document, with their arguments as one JSON schema each.
import { cutText, visibleText } from '@parley/schema/tools/foreign-text';
import { isFreeHeader } from '@parley/schema/assistants/action-inputs';
import type { ActionMethod, ActionOperation } from '@parley/schema/assistants/operations';
import type { JsonSchema } from '../providers/tool-spec.ts';
import { createUniqueNames, operationName } from './names.ts';
import { isFields, isName, isObjectSchema, listOf, NAME_MAX, type Fields, type Resolver } from './refs.ts';

const METHODS: readonly string[] = ['get', 'post', 'put', 'delete', 'patch'] satisfies ActionMethod[];
const OTHER_METHODS = ['head', 'options', 'trace'];
const DESCRIPTION_MAX = 1_024;
const PATH_MAX = 1_000;

interface Parameter {
  name: string;
  place: 'path' | 'query' | 'header';
  isRequired: boolean;
  schema: JsonSchema;
}

/**
 * The operations of all paths, in their order; at most `max` and one more.
 * @throws TooComplex
 */
export function readOperations(
  paths: Fields,
  resolver: Resolver,
  { max, warn }: { max: number; warn: (text: string) => void },
): ActionOperation[] {
  const unique = createUniqueNames(NAME_MAX);
  const found: ActionOperation[] = [];
  for (const [path, given] of Object.entries(paths)) {
    const item = resolver.follow(given);
    if (!item || path.length > PATH_MAX) continue;
    for (const [method, operation] of Object.entries(item)) {
      if (OTHER_METHODS.includes(method)) warn(`Unsupported HTTP method: ${method.toUpperCase()} ${path}`);
      if (!isMethod(method) || !isFields(operation)) continue;
      const read = readOperation({ path, method, item, operation }, resolver, warn);
      if (read) found.push({ ...read, name: unique(read.name.slice(0, NAME_MAX)) });
      if (found.length > max) return found;
    }
  }
  return found;
}

interface Place {
  path: string;
  method: ActionMethod;
  /** What all operations of the path share. */
  item: Fields;
  operation: Fields;
}

function readOperation(
  { path, method, item, operation }: Place,
  resolver: Resolver,
  warn: (text: string) => void,
): ActionOperation | null {
  const parameters = readParameters([...listOf(item.parameters), ...listOf(operation.parameters)], resolver);
  const body = readBody(operation.requestBody, resolver);
  if (body === 'unsupported') {
    warn(`Unsupported content type: ${method.toUpperCase()} ${path}`);
    return null;
  }
  const namesIn = (place: Parameter['place']) =>
    parameters.filter((one) => one.place === place).map(({ name }) => name);
  const summary = [operation.summary, operation.description].find((text) => typeof text === 'string' && text !== '');
  return {
    name: operationName(operation.operationId, method, path),
    method,
    path,
    description: cutText(visibleText(String(summary ?? '')), DESCRIPTION_MAX),
    parameters: argumentsOf(parameters, body),
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
    const place = parameter?.in;
    if (!parameter || !isName(parameter.name)) continue;
    if (place !== 'path' && place !== 'query' && place !== 'header') continue;
    if (place === 'header' && !(isFreeHeader(parameter.name) && !/^authorization$/i.test(parameter.name))) continue;
    const schema = resolver.schema(parameter.schema ?? firstContent(parameter.content)?.schema ?? {});
    const { description } = parameter;
    byName.set(parameter.name, {
      name: parameter.name,
      place,
      isRequired: place === 'path' || parameter.required === true,
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

function readBody(node: unknown, resolver: Resolver): Body | 'unsupported' | null {
  const body = node === undefined ? null : resolver.follow(node);
  if (!body || !isFields(body.content)) return null;
  const types = Object.keys(body.content);
  const json = types.find((type) => /^(?:application\/(?:[\w.-]+\+)?json\b|\*\/\*)/i.test(type));
  const form = types.find((type) => /^application\/x-www-form-urlencoded\b/i.test(type));
  const chosen = json ?? form;
  if (chosen === undefined) return types.length > 0 ? 'unsupported' : null;
  const content = body.content[chosen];
  return {
    type: json === undefined ? 'form' : 'json',
    schema: resolver.schema(isFields(content) ? content.schema : {}),
    isRequired: body.required === true,
  };
}

/** The body's schema alone, or an object of the parameters; where an operation has both, they share one object. */
function argumentsOf(parameters: readonly Parameter[], body: Body | null): JsonSchema {
  const fields = body && bodyFields(body);
  if (fields && parameters.length === 0) return fields;
  const required = [
    ...listOf(fields?.required),
    ...parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  ];
  const { properties, ...rest } = fields ?? {};
  return {
    ...rest,
    type: 'object',
    properties: {
      ...(isFields(properties) && properties),
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
  return isFields(content) ? Object.values(content).find(isFields) : undefined;
}

function isMethod(method: string): method is ActionMethod {
  return METHODS.includes(method);
}
