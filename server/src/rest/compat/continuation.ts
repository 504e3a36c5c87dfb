import { randomUUID } from 'node:crypto';
import type { AskInput, Target } from '@parley/schema/chat/ask';
import type { MessageRef } from '@parley/schema/messages/message-inputs';
import { readableText } from '@parley/schema/messages/readable-text';
import { derivedId } from '../../platform/derived-id.ts';
import type { Api } from '../../router.ts';
import { refusedRequest } from '../errors.ts';

type Ids = Pick<AskInput, 'generationId' | 'replyId'>;

/** A continuation without the ids to be found. */
type Continuation = Omit<AskInput, keyof Ids> & { target: Extract<Target, { kind: 'continue' }> };

/**
 * The ids of a continuation, whose body names the question and the answer but has no id of its own. Repeats are told
 * apart by the text to continue from: if the answer has already grown beyond it, or is running with the same model,
 * this is a repeated request. If the last run added no text, this is a retry and gets a new id.
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

/**
 * The run that wrote or is writing an answer, as of one moment: when nothing runs, the answer is read again, and all
 * begins anew if a run began in between. Null when the ask will be refused; the ask itself gives the reason.
 */
async function findLastRun(api: Api, ref: MessageRef) {
  try {
    for (;;) {
      const before = await readReply(api, ref);
      const convo = await api.convos.byId({ conversationId: ref.conversationId });
      const reply = convo.running ? before : await readReply(api, ref);
      if (!reply?.generationId) return null;
      const { generationId } = reply;
      if (generationId === before?.generationId) return { generationId, text: readableText(reply), convo };
    }
  } catch (error) {
    if (refusedRequest(error)) return null;
    throw error;
  }
}

async function readReply(api: Api, { conversationId, messageId }: MessageRef) {
  const [answer] = await api.messages.bodies({ conversationId, messageIds: [messageId] });
  return answer;
}
