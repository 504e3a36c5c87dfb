// What the model answers to an ask, in three steps: the prompt, the tools, the stream.
import type { Delta } from '../../generation/delta.ts';
import type { Ask, AskResult } from '../ask-messages.ts';
import { withoutSteps } from '../context/steps.ts';
import type { RunKey } from '../finalize.ts';
import { buildPrompt, type PromptDeps } from './build-prompt.ts';
import { chooseTools, showsCalls } from './choose-tools.ts';
import { streamReply, type Asking, type StreamDeps } from './stream-reply.ts';

export type ReplyDeps = PromptDeps & StreamDeps;

export async function* replyDeltas(
  deps: ReplyDeps,
  ask: Ask,
  { created }: AskResult,
  asking: Asking & { key: RunKey },
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  const prompt = yield* buildPrompt(deps, ask, { created, key: asking.key }, signal);
  if (!prompt) return;
  const mayCall = showsCalls(deps.tools, ask, prompt, asking.target);
  prompt.showSteps(mayCall);
  const tools = await chooseTools(deps.tools, ask, prompt, { mayCall, isCharged: asking.reserved !== null });
  const messages = mayCall || tools ? prompt.messages : withoutSteps(prompt.messages);
  yield* streamReply(deps, ask, { ...prompt, messages }, tools, asking, signal);
}
