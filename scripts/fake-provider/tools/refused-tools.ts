/**
 * The rules by which providers refuse the tools of a request, in their own words: one tool that breaks a rule is the
 * end of the whole request. docs/tool-schemas.md says where each rule is documented or was seen.
 */
import { asFields } from '@parley/schema/json';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OfferedTool } from './tools-in-request.ts';

export type RefusedTool = { message: string; param?: string; code?: string };

type Fields = Record<string, unknown>;

const draft = new Ajv2020({ strict: false, logger: false, validateFormats: false });

/** Whichever draft it names: providers read them alike. */
function isSchema({ $schema: _draft, ...schema }: Fields): boolean {
  return draft.validateSchema(schema) === true;
}

/** OpenAI's and Azure's. `field` names a field of the nth tool: the two protocols nest them differently. */
export function refusedByOpenAI(
  tools: readonly OfferedTool[],
  field: (n: number, name: string) => string,
): RefusedTool | undefined {
  const tooMany = tooLong('tools', 'array', tools.length, 128);
  if (tooMany) return tooMany;
  for (const [n, { name, description, parameters }] of tools.entries()) {
    if (!/^[a-zA-Z0-9_-]+$/.test(name))
      return {
        message: `Invalid '${field(n, 'name')}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
        param: field(n, 'name'),
        code: 'invalid_value',
      };
    const long =
      tooLong(field(n, 'name'), 'string', name.length, 64) ??
      tooLong(field(n, 'description'), 'string', description.length, 1024);
    if (long) return long;
    const fault = faultForOpenAI(parameters);
    const [param, code] = [field(n, 'parameters'), 'invalid_function_parameters'];
    if (fault) return { message: `Invalid schema for function '${name}': ${fault}`, param, code };
  }
  return undefined;
}

function tooLong(param: string, kind: 'array' | 'string', length: number, max: number): RefusedTool | undefined {
  if (length <= max) return undefined;
  const article = kind === 'array' ? 'an array' : 'a string';
  return {
    message: `Invalid '${param}': ${kind} too long. Expected ${article} with maximum length ${max}, but got ${article} with length ${length} instead.`,
    param,
    code: `${kind}_above_max_length`,
  };
}

const AT_TOP = ['oneOf', 'anyOf', 'allOf', 'enum', 'const', 'not'];

function faultForOpenAI(schema: Fields): string | undefined {
  if (schema.type !== 'object')
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${String(schema.type ?? 'None')}"'.`;
  if (AT_TOP.some((key) => key in schema))
    return "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level.";
  if (!('properties' in schema)) return 'In context=(), object schema missing properties.';
  if (!isSchema(schema)) return `${draft.errorsText(draft.errors)} is not valid under any of the given schemas.`;
  for (const { node, path } of schemasIn(schema)) {
    const context = `In context=(${path.map((part) => `'${part}'`).join(', ')})`;
    if (isList(node) && !('items' in node)) return `${context}, array schema missing items.`;
    if ('$ref' in node && !leadsSomewhere(schema, node.$ref))
      return `${context}, reference can only point to definitions.`;
  }
  return undefined;
}

export function refusedByAnthropic(tools: readonly OfferedTool[]): RefusedTool | undefined {
  if (new Set(tools.map(({ name }) => name)).size < tools.length)
    return { message: 'tools: Tool names must be unique.' };
  for (const [n, { name, parameters }] of tools.entries()) {
    const fault = /^[a-zA-Z0-9_-]{1,128}$/.test(name) ? faultForAnthropic(parameters) : BAD_NAME;
    if (fault) return { message: `tools.${n}.custom.${fault}` };
  }
  return undefined;
}

const BAD_NAME = "name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'";

function faultForAnthropic(schema: Fields): string | undefined {
  if (schema.type !== 'object') return 'input_schema.type: Field required';
  if (['oneOf', 'allOf', 'anyOf'].some((key) => key in schema))
    return 'input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level';
  if (Object.keys(asFields(schema.properties)).some((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name)))
    return "input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'";
  // Its documentation refuses references; the words are made up.
  if (schemasIn(schema).some(({ node }) => '$ref' in node)) return 'input_schema: input_schema does not support $ref';
  if (!isSchema(schema))
    return 'input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use at https://docs.claude.com/en/docs/tool-use.';
  return undefined;
}

/** Gemini's and Vertex's, for `parametersJsonSchema`: all that is wrong is told at once, one fault a line. */
export function refusedByGoogle(tools: readonly OfferedTool[]): RefusedTool | undefined {
  if (tools.length > 512)
    return {
      message: '* tools[0].function_declarations: [FIELD_INVALID] At most 512 function declarations can be specified.',
    };
  const faults = tools.flatMap(({ name, parameters }, n) => {
    if (tools.findIndex((tool) => tool.name === name) < n) return [`Duplicate function declaration found: ${name}`];
    const at = `* GenerateContentRequest.tools[0].function_declarations[${n}]`;
    const named = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/.test(name) ? [] : [`${at}.name: ${BAD_GOOGLE_NAME}`];
    return [...named, ...faultsForGoogle(parameters).map((fault) => `${at}.parameters_json_schema${fault}`)];
  });
  return faults.length > 0 ? { message: faults.join('\n') } : undefined;
}

const BAD_GOOGLE_NAME =
  'Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), with a maximum length of 64.';

/** The keywords that its documentation lists. */
const GOOGLE_KEYWORDS = new Set(
  '$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum maximum anyOf oneOf properties additionalProperties required propertyOrdering'.split(
    ' ',
  ),
);
const GOOGLE_FORMATS = ['date-time', 'date', 'time'];

function faultsForGoogle(schema: Fields): string[] {
  if (schema.type !== 'object') return [': schema at top-level must be of type object.'];
  if (!isSchema(schema)) return [`: ${draft.errorsText(draft.errors)}`];
  return schemasIn(schema).flatMap(({ node, path }) => {
    const at = path.map((part) => `.${part}`).join('');
    return faultsOfNode(node).map((fault) => `${at}${fault}`);
  });
}

function faultsOfNode(node: Fields): string[] {
  const properties = asFields(node.properties);
  const beside = Object.keys(node).filter((key) => key !== 'anyOf');
  if ('anyOf' in node && beside.length > 0)
    return [': schema specified other fields alongside any_of. When using any_of, it must be the only field set.'];
  if ('$ref' in node) return [': reference to undefined schema.'];
  const unknown = Object.keys(node).filter((key) => !GOOGLE_KEYWORDS.has(key));
  const badNames = Object.keys(properties).filter((name) => !/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name));
  const notSchemas = Object.entries(properties).filter(([, child]) => typeof child === 'boolean');
  const required = Array.isArray(node.required) ? node.required.map(String) : [];
  return [
    ...unknown.map((key) => `: Unknown name "${key}": Cannot find field.`),
    ...badNames.map((name) => `.properties[${name}]: invalid parameter name.`),
    ...notSchemas.map(([name, child]) => `.properties[${name}]: Invalid value (type: Schema), ${String(child)}`),
    ...('properties' in node && Object.keys(properties).length === 0
      ? ['.properties: should be non-empty for OBJECT type']
      : []),
    ...(isList(node) && !('items' in node) ? ['.items: missing field.'] : []),
    ...faultsOfValues(node),
    ...required.flatMap((name, n) =>
      Object.hasOwn(properties, name) ? [] : [`.required[${n}]: property is not defined.`],
    ),
    ...Object.entries({ properties: 'object', required: 'object', items: 'array' }).flatMap(([key, type]) =>
      key in node && ![node.type].flat().includes(type) ? [`.${key}: only allowed for ${type.toUpperCase()} type`] : [],
    ),
  ];
}

function faultsOfValues({ enum: values, format, type }: Fields): string[] {
  const listed: unknown[] = Array.isArray(values) ? values : [];
  const isPlain = listed.every((value) => typeof value === 'string' || typeof value === 'number');
  const isString = [type].flat().includes('string');
  const isNumber = ['number', 'integer'].some((one) => [type].flat().includes(one));
  const fits = (value: unknown) => (typeof value === 'string' ? isString : isNumber);
  return [
    ...(isPlain && listed.every(fits) ? [] : ['.enum: only allowed for STRING and NUMBER type.']),
    ...listed.flatMap((value, n) => (value === '' ? [`.enum[${n}]: cannot be empty`] : [])),
    ...(format === undefined || GOOGLE_FORMATS.includes(String(format))
      ? []
      : [".format: only 'date-time', 'date' and 'time' are supported"]),
  ];
}

type Found = { node: Fields; path: string[] };

/** Every schema in it, with itself. */
function schemasIn(given: unknown, path: string[] = []): Found[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return [];
  const node: Fields = { ...given };
  const named = ['properties', '$defs', 'definitions'].flatMap((key) =>
    Object.entries(asFields(node[key])).flatMap(([name, child]) => schemasIn(child, [...path, key, name])),
  );
  const listed = ['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((key) =>
    (Array.isArray(node[key]) ? node[key] : []).flatMap((child, n) => schemasIn(child, [...path, key, String(n)])),
  );
  const single = ['items', 'additionalProperties', 'not'].flatMap((key) => schemasIn(node[key], [...path, key]));
  return [{ node, path }, ...named, ...listed, ...single];
}

function leadsSomewhere(root: Fields, reference: unknown): boolean {
  const [, key = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(reference)) ?? [];
  return reference === '#' || Object.hasOwn(asFields(root[key]), name);
}

function isList({ type }: Fields): boolean {
  return [type].flat().includes('array');
}
