// Assistants that their owners share lend their tools to anyone they answer.
import { assistants } from '@parley/db/tables/assistants';
import { isActive } from '@parley/db/user-rows';
import { and, isNull, type SQL } from 'drizzle-orm';
import type { Lender, Tool } from './tool.ts';

/** The tool, as long as its owner lends it. */
export function lentTool(tool: Tool, lender: Lender): Tool {
  return {
    ...tool,
    isLent: true,
    asks: tool.asks === 'never' ? 'first' : tool.asks,
    async run(call) {
      if (await lender.isLending()) return tool.run(call);
      return { type: 'failed', text: 'The owner of this assistant shares it no more.' };
    },
  };
}

/** Of a query over assistants and their owners: shared, by an owner who is neither banned nor leaving. */
export function isShared(): SQL | undefined {
  return and(assistants.isShared, isNull(assistants.deletedAt), isActive);
}
