import type { Db } from '@parley/db/client';
import type { Endpoints } from '../catalog/endpoint.ts';
import type { Config } from '../config/config.ts';
import type { ToolSource } from '../tools/tool.ts';
import type { ActionStore } from './action-store.ts';
import { createFindResponder, type FindResponder } from './find-responder.ts';
import { assistantRules } from './rules.ts';
import { createToolCatalog, type ToolCatalog } from './tool-catalog.ts';

interface Parts {
  config: Config;
  db: Db;
  endpoints: Endpoints;
  toolSources: readonly ToolSource[];
  actions: ActionStore;
}

interface AssistantServices {
  /** The tools that assistants can be given. */
  assistantTools: ToolCatalog;
  findResponder: FindResponder;
}

export function openAssistants({ config, db, endpoints, toolSources, actions }: Parts): AssistantServices {
  const { assistants } = config.endpoints;
  const rules = assistantRules(config);
  const timeoutMs = assistants.enabled ? assistants.timeoutMs : undefined;
  const findResponder = createFindResponder({
    query: db.query,
    endpoints,
    actions,
    rules,
    timeoutMs,
  });
  return { assistantTools: createToolCatalog(toolSources, rules), findResponder };
}
