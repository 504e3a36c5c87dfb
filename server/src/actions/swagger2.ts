// Swagger 2 documents, the form before OpenAPI 3, written as such. Their definitions stay where references find them.
import { isObject } from '@parley/schema/json';
import { asList, type Fields } from './refs.ts';

export function isSwagger2({ swagger }: Fields): boolean {
  return String(swagger) === '2.0';
}

const METHODS = ['get', 'post', 'put', 'delete', 'patch', 'head', 'options'];
/** What a parameter says about its value beside its schema. */
const OF_PARAMETER = new Set(['name', 'in', 'required', 'description', 'schema', 'collectionFormat', '$ref']);
const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'];

export function fromSwagger2(document: Fields): Fields {
  const consumes = asList(document.consumes);
  const parameters = isObject(document.parameters) ? document.parameters : {};
  const paths = isObject(document.paths) ? Object.entries(document.paths) : [];
  return {
    ...document,
    servers: serversOf(document),
    paths: Object.fromEntries(paths.map(([path, item]) => [path, isObject(item) ? itemOf(item) : item])),
  };

  function itemOf(item: Fields): Fields {
    const shared = asList(item.parameters).map(resolved);
    const operations = METHODS.flatMap((method) => {
      const operation = item[method];
      return isObject(operation) ? [[method, operationOf(operation, shared)] as const] : [];
    });
    const { parameters: _parameters, ...others } = item;
    return { ...others, ...Object.fromEntries(operations) };
  }

  function operationOf(operation: Fields, shared: readonly (Fields | null)[]): Fields {
    const given = [...shared, ...asList(operation.parameters).map(resolved)].filter((one) => one !== null);
    const types = asList(operation.consumes ?? consumes).filter((type) => typeof type === 'string');
    const requestBody = bodyOf(given, types);
    const others = given.filter((one) => one.in !== 'body' && one.in !== 'formData').map(parameterOf);
    return { ...operation, parameters: others, ...(requestBody && { requestBody }) };
  }

  /** Parameters may refer to those of the document. */
  function resolved(node: unknown): Fields | null {
    if (!isObject(node)) return null;
    const [, name = ''] = /^#\/parameters\/([^/]+)$/.exec(String(node.$ref)) ?? [];
    if (name === '') return node;
    const target = Object.hasOwn(parameters, name) ? parameters[name] : null;
    return isObject(target) ? target : null;
  }
}

/** The first scheme that is safe, else the first one. */
function serversOf({ schemes, host, basePath }: Fields): object[] {
  if (typeof host !== 'string' || host === '') return [];
  const given = asList(schemes).filter((scheme) => typeof scheme === 'string');
  const scheme = given.length === 0 || given.includes('https') ? 'https' : given[0];
  return [{ url: `${scheme}://${host}${typeof basePath === 'string' ? basePath : ''}` }];
}

function parameterOf(parameter: Fields): Fields {
  const { name, in: place, required, description } = parameter;
  return { name, in: place, required, description, schema: schemaOf(parameter) };
}

function schemaOf(parameter: Fields): Fields {
  if (isObject(parameter.schema)) return parameter.schema;
  return Object.fromEntries(Object.entries(parameter).filter(([key]) => !OF_PARAMETER.has(key)));
}

/** One whole body, or the fields of a form. */
function bodyOf(parameters: readonly Fields[], types: readonly string[]): Fields | null {
  const whole = parameters.findLast((one) => one.in === 'body');
  if (whole) {
    const [type = 'application/json'] = types.filter((one) => /json/.test(one));
    return { required: whole.required === true, content: { [type]: { schema: whole.schema ?? {} } } };
  }
  const fields = parameters.filter((one) => one.in === 'formData');
  if (fields.length === 0) return null;
  const hasFile = fields.some(({ type }) => type === 'file');
  const [type = FORMS[0] ?? ''] = types.filter((one) => FORMS.includes(one) && (!hasFile || one === FORMS[1]));
  const properties = fields.map((field) => {
    const described = typeof field.description === 'string' ? { description: field.description } : {};
    return [String(field.name), { ...schemaOf(field), ...described }] as const;
  });
  const required = fields.filter((field) => field.required === true).map(({ name }) => String(name));
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
  return { required: required.length > 0, content: { [hasFile ? (FORMS[1] ?? '') : type]: { schema } } };
}
