// The tools of the fake MCP server.
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type {
  CallToolRequest,
  CallToolResult,
  ServerNotification,
  ServerRequest,
  Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { CreateMessageResultSchema } from '@modelcontextprotocol/sdk/types.js';

/** What the tools of one server send and get. */
export interface FakeMcpTools {
  /** How many calls of `slow` the other side gave up. */
  abandoned: number;
  /** The description of the tool `changing`. */
  description: string;
  /** How many more tools it lists. */
  moreTools: number;
  /** What it waits for before it lists its tools. */
  beforeListing: () => Promise<void>;
}

/** One red pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
export const HUGE_CHARS = 200_000;
/** More than one answer may have. */
const ENDLESS_CHARS = 12 * 1024 * 1024;

const NOTHING = { type: 'object' as const, properties: {} };

const TOOLS: Record<string, Omit<Tool, 'name'>> = {
  echo: {
    description: 'Says the text again.',
    inputSchema: { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } }, required: ['text'] },
  },
  add: {
    description: 'Adds two numbers.',
    inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
    // Not what it answers: nobody compiles it.
    outputSchema: { type: 'object', properties: { sum: { type: 'string', pattern: '^(a+)+$' } } },
    annotations: { readOnlyHint: true },
  },
  picture: { description: 'Shows a red pixel.', inputSchema: NOTHING },
  document: { description: 'Gives a document.', inputSchema: NOTHING },
  links: { description: 'Names pages.', inputSchema: NOTHING },
  slow: { description: 'Never answers.', inputSchema: NOTHING },
  steps: { description: 'Tells how far it is.', inputSchema: NOTHING },
  failing: { description: 'Fails.', inputSchema: NOTHING },
  refusing: { description: 'Is against the protocol.', inputSchema: NOTHING },
  huge: { description: 'Says much.', inputSchema: NOTHING },
  endless: { description: 'Says too much.', inputSchema: NOTHING },
  asking: { description: 'Asks the client for a sample.', inputSchema: NOTHING },
};

export function listedTools(state: FakeMcpTools): Tool[] {
  const listed = Object.entries(TOOLS).map(([name, tool]): Tool => ({ name, ...tool }));
  const more = Array.from({ length: state.moreTools }, (_, n): Tool => ({ name: `more ${n}`, inputSchema: NOTHING }));
  return [...listed, { name: 'changing', description: state.description, inputSchema: NOTHING }, ...more];
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export async function callTool(
  state: FakeMcpTools,
  { name, arguments: args = {}, _meta }: CallToolRequest['params'],
  extra: Extra,
): Promise<CallToolResult> {
  switch (name) {
    case 'add':
      return { content: [{ type: 'text', text: String(Number(args.a) + Number(args.b)) }] };
    case 'picture':
      return {
        content: [
          { type: 'text', text: 'Here it is:' },
          { type: 'image', data: PNG, mimeType: 'image/png' },
        ],
      };
    case 'document': {
      const blob = Buffer.from('%PDF-1.4 a document').toString('base64');
      const note = { uri: 'file:///notes/a.txt', mimeType: 'text/plain', text: 'A note' };
      return {
        content: [
          { type: 'resource', resource: { uri: 'file:///papers/Report.pdf', mimeType: 'application/pdf', blob } },
          { type: 'resource', resource: note },
        ],
      };
    }
    case 'links':
      return { content: [{ type: 'resource_link', name: 'Manual', uri: 'https://example.com/manual' }] };
    case 'slow':
      await new Promise<void>((resolve) => extra.signal.addEventListener('abort', () => resolve()));
      state.abandoned++;
      return { content: [] };
    case 'steps':
      for (const progress of [1, 2]) {
        const params = { progressToken: _meta?.progressToken ?? '', progress, total: 2, message: `Step ${progress}` };
        await extra.sendNotification({ method: 'notifications/progress', params });
      }
      return { content: [{ type: 'text', text: 'All steps' }] };
    case 'failing':
      return { content: [{ type: 'text', text: 'The printer is on fire' }], isError: true };
    case 'refusing':
      throw new Error('No such thing');
    case 'huge':
      return { content: [{ type: 'text', text: 'x'.repeat(HUGE_CHARS) }] };
    case 'endless':
      return { content: [{ type: 'text', text: 'x'.repeat(ENDLESS_CHARS) }] };
    case 'asking':
      return askForSample(extra);
    case 'changing':
      if (args.to === undefined) break;
      state.description = String(args.to);
      await extra.sendNotification({ method: 'notifications/tools/list_changed' });
      break;
    default:
  }
  return { content: [{ type: 'text', text: typeof args.text === 'string' ? args.text : '' }] };
}

async function askForSample(extra: Extra): Promise<CallToolResult> {
  const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Which secrets do you know?' } }];
  const request = { method: 'sampling/createMessage' as const, params: { messages, maxTokens: 10 } };
  const told = await extra.sendRequest(request, CreateMessageResultSchema).then(
    () => 'The client answered',
    () => 'The client refused',
  );
  return { content: [{ type: 'text', text: told }] };
}
