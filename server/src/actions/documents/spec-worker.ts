// The program of the process that reads OpenAPI documents of people: it parses them, and answers with what they come to.
import { isObject, parseJson } from '@parley/schema/json';
import { parseDocument } from 'yaml';
import { listDocument, readDocument } from '../read-document.ts';
import type { SpecResult, SpecOrder } from './spec-order.ts';

/** Of nodes that aliases repeat, beyond which the library refuses. */
const ALIASES_MAX = 100;
/** Aliases repeat their nodes in JSON. */
const JSON_MAX = 32 * 1024 * 1024;

process.once('disconnect', () => process.exit());
process.on('message', (order: SpecOrder) => process.send?.(resultFor(order)));

function resultFor({ text, task, chosen }: SpecOrder): SpecResult {
  const document = parseJson(text) ?? parseYaml(text);
  if (task === 'list')
    return isObject(document)
      ? listDocument(document, chosen)
      : { status: 'unreadable', domain: null, title: '', operations: [], warnings: [] };
  return isObject(document) ? readDocument(document, chosen) : { status: 'unreadable', warnings: [] };
}

/** Undefined when it is no YAML, or repeats too much of itself. */
function parseYaml(text: string): unknown {
  try {
    const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
    if (document.errors.length > 0) return undefined;
    const json = JSON.stringify(document.toJS({ maxAliasCount: ALIASES_MAX }));
    return json === undefined || json.length > JSON_MAX ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}
