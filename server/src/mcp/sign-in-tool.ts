// The tool that stands for those of an MCP server to which its person has never signed in: by calling it, a model asks
// them to.
import type { ToolOrigin } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
import type { Config } from '../config/config.ts';
import type { Tool, ToolOutcome } from '../tools/tool.ts';
import { mcpFailureSentence } from './failure.ts';
import { toolName } from './names.ts';
import { mcpService, type McpServerEntry } from './servers.ts';
import { startUrl } from '../connections/sign-in.ts';

interface Offer {
  from: ToolOrigin;
  url: string | null;
  /** The reply that goes on waited for this sign-in. */
  isAsked: boolean;
  /** Why the server's own tools cannot be offered; null when they are. */
  reason: Reason | null;
}

const TIMEOUT_MS = 5_000;
const OUTPUT_CHARS = 1_000;

export function signInToolName({ name }: Pick<McpServerEntry, 'name'>): string {
  return toolName(name, 'sign_in_first');
}

/** The page that signs in; null where the person enters a header in the settings. */
export function findSignInUrl(config: Config, { id, auth }: McpServerEntry): string | null {
  return auth === 'oauth' ? startUrl(config, mcpService(id)) : null;
}

export function signInTool(server: McpServerEntry, offer: Offer): Tool {
  const { name } = server;
  return {
    name: signInToolName(server),
    description:
      `Asks the user to sign in to ${name}, whose tools are not known before that. ` +
      `Call it only when ${name} is needed for what the user wants.`,
    parameters: { type: 'object', properties: {} },
    kind: 'function',
    from: offer.from,
    isRepeatable: true,
    asks: 'never',
    limits: { timeoutMs: TIMEOUT_MS, outputChars: OUTPUT_CHARS },
    run: () => Promise.resolve(outcomeOf(name, offer)),
  };
}

function outcomeOf(name: string, { url, isAsked, reason }: Offer): ToolOutcome {
  if (!isAsked || reason?.type === 'unauthorized') return { type: 'needs', what: 'sign_in', url };
  if (reason) return { type: 'failed', text: mcpFailureSentence(reason, name) };
  return { type: 'done', text: `The user has signed in to ${name}. Its tools can be called now.` };
}
