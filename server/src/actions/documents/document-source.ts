// Plugins that are only the OpenAPI document of a service, as a source of tools: where the operator offers them, each
// operation is a tool that is called as those of actions are, without credentials.
import type { ToolInfo } from '@parley/schema/tools/tools';
import type { ManifestPlugin } from '../../plugins/define-plugin.ts';
import { ENDED, OPEN_API_PLUGINS } from '../../plugins/open-api-plugins.ts';
import type { SourceTools, ToolSource } from '../../tools/tool.ts';
import type { Actions, ActionsDeps } from '../actions.ts';
import { createUniqueNames } from '../../tools/tool-names.ts';
import { modelName } from '../names.ts';
import { createPluginDocuments, type Document } from './plugin-documents.ts';
import type { ActionRow } from '../rows.ts';
import { forbiddenHost } from '../run-operation.ts';
import { operationTool } from '../source.ts';

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
