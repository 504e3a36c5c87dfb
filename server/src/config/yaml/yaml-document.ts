// Re-exports the parser: bundled, a lazily imported CommonJS package has only a default export.
import { parseDocument } from 'yaml';

export { parseDocument };
