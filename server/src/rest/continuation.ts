import { randomUUID } from 'node:crypto';
import type { AskInput, Target } from '@parley/schema/ask';
import type { MessageRef } from '@parley/schema/message-inputs';
import { textOf } from '@parley/schema/messages';
import { derivedId } from '../derived-id.ts';
import type { Api } from '../router.ts';
import { refusedWith } from './refused.ts';

type Ids = Pick<AskInput, 'generationId' | 'replyId'>;

/** An ask to go on, but for the ids that are to be found. */
type Continuation = Omit<AskInput, keyof Ids> & { target: Extract<Target, { kind: 'continue' }> };

/**
 * The ids of a continuation, whose body names the question and the answer, but not itself. What tells two of them apart
 * is the text to go on from: the answer that has gone on from it, or does so now with the same model, was asked the
 * same already. One that ended without another word is asked anew: its body is that of a person who tries again.
 */
export async function continuation(
  api: Api,
  { conversationId, endpoint, model, target }: Continuation,
  text: string,
): Promise<Ids> {
  const replyId = target.messageId;
  const last = await findLastRun(api, { conversationId, messageId: replyId });
  if (!last) return { generationId: randomUUID(), replyId };
  const { generationId, convo } = last;
  const hasBegun =
    convo.running === generationId
      ? convo.endpoint === endpoint && convo.model === (model ?? convo.model)
      : text !== '' && last.text.length > text.length;
  const isSame = hasBegun && last.text.startsWith(text);
  return { generationId: isSame ? generationId : derivedId(generationId, 'continuation'), replyId };
}

/** The run that wrote an answer or writes it. Null for what cannot be asked: why not, the ask itself says. */
async function findLastRun(api: Api, { conversationId, messageId }: MessageRef) {
  try {
    const convo = await api.convos.byId({ conversationId });
    const [answer] = await api.messages.bodies({ conversationId, messageIds: [messageId] });
    return answer?.generationId ? { generationId: answer.generationId, text: textOf(answer), convo } : null;
  } catch (error) {
    if (refusedWith(error)) return null;
    throw error;
  }
}
