// The process that parses one YAML text and answers with its value as JSON, or null.
import { parseDocument } from 'yaml';

/** Of nodes that aliases repeat, beyond which the library refuses. */
const ALIASES_MAX = 100;
/** Aliases repeat their nodes in JSON. */
const JSON_MAX = 8 * 1024 * 1024;

process.once('disconnect', () => process.exit());
process.once('message', (text: string) => process.send?.({ json: jsonOf(text) }));

function jsonOf(text: string): string | null {
  try {
    const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
    if (document.errors.length > 0) return null;
    const json = JSON.stringify(document.toJS({ maxAliasCount: ALIASES_MAX }));
    return json === undefined || json.length > JSON_MAX ? null : json;
  } catch {
    return null;
  }
}
