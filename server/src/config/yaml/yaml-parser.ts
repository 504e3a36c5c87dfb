// A separate module, because the bundler exposes no named exports of a lazily imported CommonJS package.
export { parseDocument } from 'yaml';
