// Plugins that are only the OpenAPI document of a service, as a source of tools: where the operator offers them, each
// operation is a tool that is called as those of actions are, without credentials.
import type { ToolInfo } from '@parley/schema/tools/tools';
import type { ManifestPlugin } from '../../plugins/define-plugin.ts';
import { ENDED, OPEN_API_PLUGINS } from '../../plugins/open-api-plugins.ts';
import type { SourceTools, ToolSource } from '../../tools/tool.ts';
import type { Actions, ActionsDeps } from '../actions.ts';
import { createUniqueNames } from '../../tools/tool-names.ts';
import { modelName } from '../names.ts';
import type { ActionRow } from '../rows.ts';
import { forbiddenHost } from '../run-operation.ts';
import { operationTool } from '../source.ts';
import { SPEC_BYTES_MAX, SPEC_SENTENCES } from '@parley/schema/assistants/actions';
import type { Config } from '../../config/config.ts';
import type { Egress } from '../../platform/egress.ts';
import { Refusal } from '../../platform/errors.ts';
import type { ReadSpec } from '../read-document.ts';
import { readSpec } from './read-spec.ts';

const KEPT_MS = 60 * 60_000;

/** A service that was away is asked again soon. */
const FAILED_KEPT_MS = 60_000;

const TIMEOUT_MS = 8_000;

export function createDocumentSource(deps: ActionsDeps, actions: Actions): ToolSource {
  const { openApi } = deps.config.plugins;
  const { allowedDomains } = deps.config.actions;
  const documents = createPluginDocuments(deps);
  // A built-in tool does the work of one of them.
  const plugins = OPEN_API_PLUGINS.filter(({ isBuiltin }) => !isBuiltin);
  return {
    name: 'plugin',
    async tools({ userId, keys }): Promise<SourceTools> {
      const chosen = plugins.filter(({ key }) => keys.includes(key));
      const unique = createUniqueNames();
      const found: SourceTools = { tools: [], problems: [] };
      const read = await Promise.all(chosen.map(async (plugin) => [plugin, await documentOf(plugin)] as const));
      for (const [plugin, document] of read) {
        const from = originOf(plugin);
        if (document.type === 'failed') {
          found.problems.push({ from, text: document.text });
          continue;
        }
        const row = rowOf(userId, plugin, document);
        const forbidden = forbiddenHost(row, allowedDomains);
        if (forbidden !== null) found.problems.push({ from, text: `Calls of ${forbidden} are not allowed here.` });
        else
          for (const operation of row.settings.operations)
            found.tools.push(operationTool(actions, row, operation, unique(modelName(operation, row.domain)), from));
      }
      return found;
    },
    async list(): Promise<ToolInfo[]> {
      return openApi ? plugins.map(infoOf) : [];
    },
  };

  async function documentOf(plugin: ManifestPlugin): Promise<Document> {
    return openApi ? documents.read(plugin) : { type: 'failed', text: ENDED.text };
  }

  function infoOf(plugin: ManifestPlugin): ToolInfo {
    const { key, name, description } = plugin;
    const info = { key, from: originOf(plugin), description };
    const failure = documents.failureOf(plugin);
    if (failure === null) return { ...info, unavailable: null };
    return { ...info, unavailable: failure, why: { type: 'service', name, reason: 'provider_unavailable' } };
  }
}

function originOf({ key, name }: ManifestPlugin) {
  return { source: 'plugin' as const, id: key, label: name };
}

/** As an action would be stored: it belongs to no assistant, and has no credentials. */
function rowOf(userId: string, { key }: ManifestPlugin, { spec }: Extract<Document, { type: 'read' }>): ActionRow {
  const { domain, title, server, operations } = spec;
  const settings = { auth: { type: 'none' as const }, privacyPolicyUrl: null, title, server, operations };
  return { userId, id: key, assistantId: '', domain, settings, encrypted: null, createdAt: '', updatedAt: '' };
}

// The OpenAPI documents of plugins: read when a conversation first uses one, and kept for a while.
type Document =
  | { type: 'read'; spec: Extract<ReadSpec, { status: 'valid' }> }
  /** `text` is a sentence. */
  | { type: 'failed'; text: string };

interface PluginDocuments {
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

function createPluginDocuments({ config, egress }: { config: Config; egress: Egress }): PluginDocuments {
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
