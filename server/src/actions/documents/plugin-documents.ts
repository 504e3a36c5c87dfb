// The OpenAPI documents of plugins: read when a conversation first uses one, and kept for a while.
import { SPEC_BYTES_MAX, SPEC_SENTENCES } from '@parley/schema/assistants/actions';
import type { Config } from '../../config/config.ts';
import type { Egress } from '../../platform/egress.ts';
import { Refusal } from '../../platform/errors.ts';
import type { ManifestPlugin } from '../../plugins/define-plugin.ts';
import type { ReadSpec } from '../read-document.ts';
import { readSpec } from './read-spec.ts';

export type Document =
  | { type: 'read'; spec: Extract<ReadSpec, { status: 'valid' }> }
  /** `text` is a sentence. */
  | { type: 'failed'; text: string };

export interface PluginDocuments {
  /** Never throws: a failure is a sentence. */
  read(plugin: ManifestPlugin): Promise<Document>;
  /** Why it could not be read when that was last tried; null when it could, or was not tried lately. */
  failureOf(plugin: ManifestPlugin): string | null;
}

interface Held {
  document: Promise<Document>;
  failure: string | null;
  /** In `performance.now()` time. */
  until: number;
}

const KEPT_MS = 60 * 60_000;
/** A service that was away is asked again soon. */
const FAILED_KEPT_MS = 60_000;
const TIMEOUT_MS = 8_000;

export function createPluginDocuments({ config, egress }: { config: Config; egress: Egress }): PluginDocuments {
  const held = new Map<string, Held>();
  const { openApiDocuments } = config.plugins;

  function fresh({ key }: ManifestPlugin): Held | undefined {
    const known = held.get(key);
    return known && known.until > performance.now() ? known : undefined;
  }

  return {
    read(plugin) {
      const known = fresh(plugin);
      if (known) return known.document;
      const address = openApiDocuments[plugin.key] ?? plugin.document ?? '';
      const own: Held = { document: fetchDocument(egress, address), failure: null, until: Infinity };
      held.set(plugin.key, own);
      void own.document.then((document) => {
        own.failure = document.type === 'failed' ? document.text : null;
        own.until = performance.now() + (own.failure === null ? KEPT_MS : FAILED_KEPT_MS);
      });
      return own.document;
    },
    failureOf: (plugin) => fresh(plugin)?.failure ?? null,
  };
}

async function fetchDocument(egress: Egress, address: string): Promise<Document> {
  const { host } = new URL(address);
  try {
    const bytes = await egress.download(address, { maxBytes: SPEC_BYTES_MAX, timeoutMs: TIMEOUT_MS });
    const spec = await readSpec('plugins', new TextDecoder().decode(bytes));
    if (spec.status === 'valid') return { type: 'read', spec };
    return { type: 'failed', text: `The document of ${host} cannot be used: ${SPEC_SENTENCES[spec.status]}` };
  } catch (error) {
    const isForbidden = error instanceof Refusal && error.reason.type === 'forbidden_base_url';
    return { type: 'failed', text: isForbidden ? `${host} may not be called.` : `${host} cannot be reached.` };
  }
}
