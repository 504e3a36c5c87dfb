// The parser behind names of our own: bundled, a CommonJS package that is imported when it is needed has only a default.
import { parseDocument } from 'yaml';

export { parseDocument };
