// Reads OpenAPI documents of users. They may be hostile: everything is bounded, and YAML is parsed in a process of its
// own.
import {
  SPEC_BYTES_MAX,
  SPEC_OPERATIONS_MAX,
  type ParsedSpec,
  type SpecStatus,
} from '@parley/schema/assistants/actions';
import type { ActionOperation } from '@parley/schema/assistants/operations';
import { cleanJson, cleanText } from '@parley/schema/clean-text';
import { visibleText } from '@parley/schema/tools/foreign-text';
import { isHttpUrl, withoutTrailingSlash } from '../config/addresses.ts';
import { readOperations } from './operations.ts';
import { parseYaml } from './parse-yaml.ts';
import { fromSwagger2, isSwagger2 } from './swagger2.ts';
import { createResolver, isFields, TooComplex, type Fields } from './refs.ts';

export type ReadSpec =
  | {
      status: 'valid';
      /** The host of the first server, with its port unless it is the usual one. */
      domain: string;
      title: string;
      /** The address of the first server, without a trailing slash. */
      server: string;
      operations: ActionOperation[];
      warnings: string[];
    }
  | { status: Exclude<SpecStatus, 'valid'>; warnings: string[] };

const URL_MAX = 2_000;
const TITLE_MAX = 100;
const WARNINGS_MAX = 20;
const WARNING_MAX = 300;

/** Reads JSON or YAML. Never throws for what is in it. */
export async function readSpec(text: string): Promise<ReadSpec> {
  if (Buffer.byteLength(text) > SPEC_BYTES_MAX) return { status: 'too_long', warnings: [] };
  const document = parseJson(text) ?? (await parseYaml(text));
  return isFields(document) ? readDocument(document) : { status: 'unreadable', warnings: [] };
}

/** The same for a document that has been parsed. */
export function readDocument(given: Fields): ReadSpec {
  const document = isSwagger2(given) ? fromSwagger2(given) : given;
  const warnings = new Set<string>();
  const warn = (text: string) => void (warnings.size < WARNINGS_MAX && warnings.add(text.slice(0, WARNING_MAX)));
  const other = otherKind(document);
  if (other !== null) warn(`This is ${other}, not an OpenAPI document`);
  const refused = (status: Exclude<SpecStatus, 'valid'>) => ({ status, warnings: [...warnings] });
  const server = serverOf(document);
  if (!server) return refused('no_url');
  if (!isFields(document.paths)) return refused('no_paths');
  const resolver = createResolver(document, (reference) => warn(`Reference ${reference} not found`));
  try {
    const found = cleanJson(readOperations(document.paths, resolver, { max: SPEC_OPERATIONS_MAX, warn }));
    if (found.length === 0) return refused('no_paths');
    const operations = found.slice(0, SPEC_OPERATIONS_MAX);
    if (found.length > operations.length)
      warn(`The document has more than ${SPEC_OPERATIONS_MAX} operations. The first ${SPEC_OPERATIONS_MAX} are used`);
    const title = isFields(document.info) && typeof document.info.title === 'string' ? document.info.title : '';
    return {
      status: 'valid',
      domain: new URL(server).host,
      title: cleanText(visibleText(title).slice(0, TITLE_MAX)),
      server,
      operations,
      warnings: [...warnings],
    };
  } catch (error) {
    if (error instanceof TooComplex) return refused('too_complex');
    throw error;
  }
}

/** What people paste in place of an OpenAPI document; null for everything else. */
function otherKind(document: Fields): string | null {
  if ('openapi' in document || 'swagger' in document || 'paths' in document) return null;
  if ('asyncapi' in document) return 'an AsyncAPI document';
  if (isFields(document.info) && '_postman_id' in document.info) return 'a Postman collection';
  if ('__schema' in document || isFields(document.data)) return 'a GraphQL schema';
  if ('mcpServers' in document) return 'a list of tool servers';
  if ('schema_version' in document && 'api' in document)
    return "a plugin's manifest, whose api.url leads to the document";
  return null;
}

export function presentSpec(read: ReadSpec): ParsedSpec {
  const { status, warnings } = read;
  if (status !== 'valid') return { status, warnings, domain: null, title: '', operations: [] };
  const operations = read.operations.map(({ name, method, path }) => ({ name, method, path }));
  return { status, warnings, domain: read.domain, title: read.title, operations };
}

/** The first server's address; null when it is absent, relative, or has a query. Variables have their defaults. */
function serverOf({ servers }: Fields): string | null {
  const first: unknown = Array.isArray(servers) ? servers[0] : undefined;
  if (!isFields(first) || typeof first.url !== 'string') return null;
  const { variables } = first;
  const text = first.url.trim().replaceAll(/\{([^{}]{1,64})\}/g, (whole, name: string) => {
    const variable = isFields(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isFields(variable) && typeof variable.default === 'string' ? variable.default : whole;
  });
  if (text.length > URL_MAX || !isHttpUrl(text)) return null;
  const url = new URL(text);
  if (url.search + url.hash + url.username + url.password !== '') return null;
  return withoutTrailingSlash(url.origin + url.pathname);
}

/** Undefined when it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
