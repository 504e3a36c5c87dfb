// By a file of ours: a bundler gives a CommonJS package that is loaded lazily as a default, without its names.
export { parseDocument } from 'yaml';
