import { pathToFileURL } from 'node:url';
import { root } from '@parley/scripts/build-stamps';
import { createExtractor } from '@parley/server/retrieval/extractor';

/** Reads files by the worker of the build: from the sources, each would load its libraries for three seconds. */
export function createBuiltExtractor() {
  return createExtractor({ program: pathToFileURL(`${root}server/dist/extract-worker.js`) });
}
