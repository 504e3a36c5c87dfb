// Tool servers that hang: an answer begins with what is known of them, and says once what is missing.
import { startFakeMcpServer, type FakeMcpServer } from '@parley/scripts/fake-tools/mcp-server';
import { mcpTools } from '@parley/db/tables/tools';
import { messageText, type Message } from '@parley/schema/messages/messages';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { openMcp, type OpenMcp } from './open-mcp.ts';

let fake: FakeMcpServer;
let mcp: OpenMcp;
let release: () => void;

beforeAll(async () => {
  fake = await startFakeMcpServer();
  const servers = { known: { url: fake.url }, down: { url: 'http://127.0.0.1:9/mcp' } };
  mcp = await openMcp(servers, { EGRESS_ALLOWED_HOSTS: '127.0.0.1', OPENAI_MODELS: 'fake:echo', TITLE_CONVO: 'false' });
});
afterAll(async () => {
  release();
  await mcp.close();
  await fake.close();
});

it('a server that hangs is offered by its kept list, without being waited for', async () => {
  const seen = await mcp.toolsOf(mcp.alice, 'known');
  expect(seen.names).toContain('mcp_known_add');
  const { query } = mcp.services.deps.db;
  await query
    .update(mcpTools)
    .set({ checkedAt: sql`now() - interval '1 hour'` })
    .where(eq(mcpTools.server, 'known'));
  let asked = 0;
  const hanging = new Promise<void>((resolve) => (release = resolve));
  fake.beforeListing = () => {
    asked += 1;
    return hanging;
  };
  // It would not come back if it waited.
  expect(await mcp.toolsOf(mcp.alice, 'known')).toEqual(seen);
  await expect.poll(() => asked).toBeGreaterThan(0);
});

it('a notice about a server stands in the first answer of a conversation, not in every one', async () => {
  const settings = { tools: ['mcp:down'] };
  const first = await exchange(mcp.services, mcp.alice.id, question('One', { settings }));
  expect(noticesOf(first.reply)).toMatchObject([{ call: { state: 'failed', name: 'down' } }]);
  const second = await exchange(mcp.services, mcp.alice.id, followUp('Two', first, { settings }));
  expect(noticesOf(second.reply)).toEqual([]);
  expect(messageText(second.reply)).toBe('Two');
  const elsewhere = await exchange(mcp.services, mcp.alice.id, question('Three', { settings }));
  expect(noticesOf(elsewhere.reply)).toHaveLength(1);
});

function noticesOf({ parts }: Message) {
  return parts.filter((part) => part.type === 'tool_call');
}
