// The operations of actions as tools.
import type { ActionOperation } from '@parley/schema/assistants/operations';
import type { ToolOrigin } from '@parley/schema/messages/messages';
import type { ToolInfo } from '@parley/schema/tools/tools';
import { lentTool } from '../tools/lending.ts';
import type { SourceTools, Tool, ToolSource } from '../tools/tool.ts';
import { createActions, type Actions, type ActionsDeps } from './actions.ts';
import { createUniqueNames } from '../tools/tool-names.ts';
import { modelName } from './names.ts';
import { readActions, actionService, type ActionRow } from './rows.ts';
import { CALL_TIMEOUT_MS, forbiddenHost, operationOutcome } from './run-operation.ts';

const PREFIX = actionService('');
/** How much of a reply a model gets, in characters. */
const OUTPUT_CHARS = 32_000;

export function createActionSource(deps: ActionsDeps, actions: Actions = createActions(deps)): ToolSource {
  const { enabled, allowedDomains } = deps.config.actions;
  return {
    name: 'action',
    async tools({ userId, keys, lender }): Promise<SourceTools> {
      const ids = keys.filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
      if (ids.length === 0) return { tools: [], problems: [] };
      const own = await readActions(deps.db, userId, { ids });
      const lentIds = lender ? ids.filter((id) => lender.keys.includes(actionService(id))) : [];
      const lent = lender && lentIds.length > 0 ? await readActions(deps.db, lender.userId, { ids: lentIds }) : [];
      const rows = new Map([...lent, ...own].map((row) => [row.id, row]));
      const unique = createUniqueNames();
      const found: SourceTools = { tools: [], problems: [] };
      for (const id of new Set(ids)) {
        const row = rows.get(id);
        const text = row ? problemOf(row) : 'This action no longer exists.';
        if (row && text === null)
          for (const operation of row.settings.operations) {
            const name = unique(modelName(operation, row.domain));
            const tool = operationTool(actions, row, operation, name, originOf(row));
            found.tools.push(lender && row.userId !== userId ? lentTool(tool, lender) : tool);
          }
        else found.problems.push({ from: row ? originOf(row) : { source: 'action', id, label: id }, text: text ?? '' });
      }
      return found;
    },
    async list(userId): Promise<ToolInfo[]> {
      if (!enabled) return [];
      const rows = await readActions(deps.db, userId);
      return rows.map((row) => ({
        key: actionService(row.id),
        from: originOf(row),
        description: row.settings.title || row.settings.operations.map(({ name }) => name).join(', '),
        unavailable: problemOf(row),
        ...whyOf(row),
      }));
    },
  };

  function whyOf(row: ActionRow): Pick<ToolInfo, 'why'> {
    if (!enabled) return { why: { type: 'actions_off' } };
    const host = forbiddenHost(row, allowedDomains);
    return host === null ? {} : { why: { type: 'host_forbidden', host } };
  }

  function problemOf(row: ActionRow): string | null {
    if (!enabled) return 'Actions are switched off on this server.';
    const forbidden = forbiddenHost(row, allowedDomains);
    return forbidden === null ? null : `Calls of ${forbidden} are not allowed here.`;
  }
}

function originOf({ id, domain }: ActionRow): ToolOrigin {
  return { source: 'action', id, label: domain };
}

/** A tool that calls one operation, and asks before it does. */
export function operationTool(
  actions: Actions,
  action: ActionRow,
  operation: ActionOperation,
  name: string,
  from: ToolOrigin,
): Tool {
  const { method, path, description, parameters } = operation;
  return {
    name,
    description: description || `${method.toUpperCase()} ${path} of ${action.domain}`,
    parameters,
    kind: 'function',
    from,
    isRepeatable: method === 'get',
    asks: method === 'delete' ? 'always' : 'first',
    does: `${method.toUpperCase()} ${action.domain}${path}`,
    // The call ends by itself before this.
    limits: { timeoutMs: 2 * CALL_TIMEOUT_MS, outputChars: OUTPUT_CHARS },
    async run({ userId, args, generationId, callId, signal }) {
      const idempotencyKey = `${generationId}/${callId}`;
      const result = await actions.run({ userId, action, operation, args, idempotencyKey, signal });
      return operationOutcome(result, action.domain, actions.signInUrl(action.id));
    },
  };
}
