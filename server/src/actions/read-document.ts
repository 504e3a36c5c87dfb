// Reads OpenAPI documents that have been parsed. They may be hostile: everything is bounded.
import {
  SPEC_LISTED_MAX,
  SPEC_OPERATIONS_MAX,
  type ParsedSpec,
  type SpecStatus,
} from '@parley/schema/assistants/actions';
import type { ActionOperation } from '@parley/schema/assistants/operations';
import { cleanJson, cleanText } from '@parley/schema/clean-text';
import { isObject } from '@parley/schema/json';
import { cutText, visibleText } from '@parley/schema/tools/foreign-text';
import { isHttpUrl, withoutTrailingSlash } from '../config/addresses.ts';
import { findOperations, readOperation, type FoundOperation } from './operations.ts';
import { fromSwagger2, isSwagger2 } from './swagger2.ts';
import { createResolver, TooComplex, type Fields, type Resolver } from './refs.ts';

export type ReadSpec =
  | {
      status: 'valid';
      /** The host of the first server, with its port unless it is the usual one. */
      domain: string;
      title: string;
      /** The address of the first server, without a trailing slash. */
      server: string;
      /** Those that are on. */
      operations: ActionOperation[];
      warnings: string[];
    }
  | { status: Exclude<SpecStatus, 'valid'>; warnings: string[] };

const URL_MAX = 2_000;
const TITLE_MAX = 100;
const SUMMARY_MAX = 200;
const WARNINGS_MAX = 20;
const WARNING_MAX = 300;

/** Which operations are on. */
export interface Choice {
  names: readonly string[];
  /** All where the document has none of these any more, as if nobody had chosen. */
  orAll: boolean;
}

/** What is on of a document: as chosen, or the first ones. The order is the document's. */
export function readDocument(given: Fields, chosen: Choice | null = null): ReadSpec {
  const warnings = createWarnings();
  const found = openDocument(given, warnings.warn);
  if (found.status !== 'valid') return { status: found.status, warnings: warnings.list() };
  const { domain, title, server, listed, resolver } = found;
  const on = operationsOn(listed, chosen);
  if (on.length === 0) return { status: 'no_operations', warnings: warnings.list() };
  if (chosen === null && listed.length > on.length)
    warnings.warn(
      `The document has more than ${SPEC_OPERATIONS_MAX} operations. The first ${SPEC_OPERATIONS_MAX} are used`,
    );
  const operations = readAll(on, resolver);
  if (operations === null) return { status: 'too_complex', warnings: warnings.list() };
  return { status: 'valid', domain, title, server, operations, warnings: warnings.list() };
}

/** All operations of a document, for a person who chooses. Those that are on are read as for models, for its warnings. */
export function listDocument(given: Fields, chosen: Choice | null = null): ParsedSpec {
  const { warn, list } = createWarnings();
  const found = openDocument(given, warn);
  const none = { domain: null, title: '', operations: [] };
  if (found.status !== 'valid') return { status: found.status, ...none, warnings: list() };
  const { domain, title, listed, resolver } = found;
  const on = operationsOn(listed, chosen);
  if (readAll(on, resolver) === null) {
    // The others may fit.
    if (listed.length === 1) return { status: 'too_complex', ...none, warnings: list() };
    warn(`The schemas of these ${on.length} operations are too large together. Switch some of them off`);
  }
  const operations = listed.map(({ name, method, path, description }) => {
    return { name, method, path, summary: cutText(description, SUMMARY_MAX) };
  });
  return cleanJson({ status: 'valid', domain, title, operations, warnings: list() });
}

function operationsOn(listed: readonly FoundOperation[], chosen: Choice | null): readonly FoundOperation[] {
  const names = chosen && new Set(chosen.names);
  const on = names ? listed.filter(({ name }) => names.has(name)) : listed;
  return (on.length === 0 && chosen?.orAll ? listed : on).slice(0, SPEC_OPERATIONS_MAX);
}

/** Null where their schemas are too large together. */
function readAll(found: readonly FoundOperation[], resolver: Resolver): ActionOperation[] | null {
  try {
    return cleanJson(found.map((one) => readOperation(one, resolver)));
  } catch (error) {
    if (error instanceof TooComplex) return null;
    throw error;
  }
}

function createWarnings() {
  const warnings = new Set<string>();
  return {
    warn: (text: string) => void (warnings.size < WARNINGS_MAX && warnings.add(text.slice(0, WARNING_MAX))),
    list: () => [...warnings],
  };
}

type OpenedDocument =
  | {
      status: 'valid';
      domain: string;
      title: string;
      server: string;
      listed: FoundOperation[];
      resolver: Resolver;
    }
  | { status: 'no_url' | 'no_paths' };

/** A document with the list of its operations, whose schemas are not read yet. */
function openDocument(given: Fields, warn: (text: string) => void): OpenedDocument {
  const document = isSwagger2(given) ? fromSwagger2(given) : given;
  const other = otherKind(document);
  if (other !== null) warn(`This is ${other}, not an OpenAPI document`);
  const server = serverOf(document);
  if (!server) return { status: 'no_url' };
  if (!isObject(document.paths)) return { status: 'no_paths' };
  const resolver = createResolver(document, (reference) => warn(`Reference ${reference} not found`));
  const listed = findOperations(document.paths, resolver, { max: SPEC_LISTED_MAX, warn });
  if (listed.length === 0) return { status: 'no_paths' };
  const title = isObject(document.info) && typeof document.info.title === 'string' ? document.info.title : '';
  return {
    status: 'valid',
    domain: new URL(server).host,
    title: cleanText(visibleText(title).slice(0, TITLE_MAX)),
    server,
    listed,
    resolver,
  };
}

/** What people paste in place of an OpenAPI document; null for everything else. */
function otherKind(document: Fields): string | null {
  if ('openapi' in document || 'swagger' in document || 'paths' in document) return null;
  if ('asyncapi' in document) return 'an AsyncAPI document';
  if (isObject(document.info) && '_postman_id' in document.info) return 'a Postman collection';
  if ('__schema' in document || isObject(document.data)) return 'a GraphQL schema';
  if ('mcpServers' in document) return 'a list of tool servers';
  if ('schema_version' in document && 'api' in document)
    return "a plugin's manifest, whose api.url leads to the document";
  return null;
}

/** The first server's address; null when it is absent, relative, or has a query. Variables have their defaults. */
function serverOf({ servers }: Fields): string | null {
  const first: unknown = Array.isArray(servers) ? servers[0] : undefined;
  if (!isObject(first) || typeof first.url !== 'string') return null;
  const { variables } = first;
  const text = first.url.trim().replaceAll(/\{([^{}]{1,64})\}/g, (whole, name: string) => {
    const variable = isObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isObject(variable) && typeof variable.default === 'string' ? variable.default : whole;
  });
  if (text.length > URL_MAX || !isHttpUrl(text)) return null;
  const url = new URL(text);
  if (url.search + url.hash + url.username + url.password !== '') return null;
  return withoutTrailingSlash(url.origin + url.pathname);
}
