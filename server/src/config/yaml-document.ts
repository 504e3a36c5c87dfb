// Apart from who needs it, so that the parser is loaded for a yaml file only: bundled, an import() of this package
// itself would give none of its names.
export { parseDocument } from 'yaml';
