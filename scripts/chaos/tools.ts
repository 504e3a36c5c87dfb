// Tools in a chaos run: what the model is asked to call, and how people allow it.
import { randomUUID } from 'node:crypto';
import type { AskInput } from '@parley/schema/chat/ask';
import type { FinalEvent } from '@parley/schema/generation/events';
import { isLoopCall } from '@parley/schema/messages/messages';
import type { UpstreamRequest } from '../fake-tools/plugin-upstreams.ts';
import type { Device } from '../api-client.ts';
import { openViewer } from './viewer.ts';

/** The keys that are chosen: one that may be repeated, and one whose calls change something elsewhere. */
export const TOOLS = ['calculator', 'codesherpa_tools'];

/** The tool that may not be called twice for one call of the model. */
export const UNREPEATABLE = 'RunCode';

/** Long arguments are still being written when something happens. */
const FILLER = '#'.repeat(300);

/** Two steps, the first with two calls at once. `mark` makes each call recognizable at the service. */
export function callLines(mark: string): string {
  const run = (n: number) => `call ${UNREPEATABLE} ${JSON.stringify({ code: `${n} of ${mark} fake:late ${FILLER}` })}`;
  return `call calculator {"input":"6 * 7"} ${run(1)}\n${run(2)}`;
}

/** The code that the service was sent in this request; null for other requests. */
export function codeIn({ path, body }: UpstreamRequest): string | null {
  return path === '/repl' ? String(body?.code) : null;
}

/** Always allows the tool that asks first, as a person does at its first call. */
export async function allowTools(device: Device): Promise<void> {
  const asked: AskInput = {
    generationId: randomUUID(),
    conversationId: randomUUID(),
    replyId: randomUUID(),
    endpoint: 'openAI',
    model: null,
    settings: { tools: TOOLS },
    target: {
      kind: 'send',
      messageId: randomUUID(),
      parentMessageId: null,
      text: `[[tool-steps]] First call ${UNREPEATABLE} {"code":"1"}`,
    },
  };
  const waiting = await askToEnd(device, asked);
  const ids = waiting?.reply.parts.filter(isLoopCall).map(({ call }) => call.id) ?? [];
  const decisions = Object.fromEntries(ids.map((id) => [id, 'always' as const]));
  const target = { kind: 'resume' as const, messageId: asked.replyId, decisions };
  const allowed = await askToEnd(device, { ...asked, generationId: randomUUID(), target });
  if (allowed?.reply.finishReason !== 'stop') throw new Error('The tools could not be allowed');
}

/** Asks, and resolves with the end of the answer; null when its stream ended without one. */
export async function askToEnd(device: Device, input: AskInput): Promise<FinalEvent | null> {
  await device.api.messages.ask.mutate(input);
  const viewer = openViewer(device, input.generationId, () => null);
  await viewer.done;
  return viewer.final;
}
