import { pathToFileURL } from 'node:url';
import { root } from '@parley/scripts/build-stamps';
import { createExtractor, type ExtractorOptions } from '@parley/server/retrieval/extractor';

export const builtExtractWorker = `${root}server/dist/extract-worker.js`;

/** Reads files by the worker of the build: from the sources, each would load its libraries for three seconds. */
export function createBuiltExtractor(options: ExtractorOptions = {}) {
  return createExtractor({ program: pathToFileURL(builtExtractWorker), ...options });
}
