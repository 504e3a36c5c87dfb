// Asks of one column alone, and of all of them. Those that say whether the ask was accepted are true then.
import type { Column } from '@parley/schema/chat/columns';
import { columnIds } from '@parley/schema/chat/queue';
import { messageAttachments, type Attachment, type Message } from '@parley/schema/messages/messages';
import { carrySettings } from '@parley/schema/settings/carry-settings';
import type { ModelTarget, OtherModel } from '../catalog/model-target.ts';
import { useChatSession } from '../chat/chat-session-context.tsx';
import {
  opening,
  prepareContinue,
  prepareRegenerate,
  prepareResume,
  prepareSend,
  type PendingAsk,
} from '../chat/exchanges/prepare-ask.ts';
import type { Decide } from '../chat/steps/approval-requests.tsx';
import type { Chat } from '../chat/use-chat.ts';
import { newId } from '../lib/new-id.ts';
import { trpc } from '../trpc.ts';
import { columnTarget, type ColumnPath } from './column-paths.ts';

/** One column alone, which takes its new answer at once. */
export function useAskColumn(chat: Chat) {
  const { cache } = useChatSession();
  const utils = trpc.useUtils();
  const { conversationId } = chat.slot;

  return {
    /** One more model answers the question that all of them have. */
    add({ columns }: { columns: readonly ColumnPath[] }, other: OtherModel) {
      const [first] = columns;
      const question = chat.findMessage(first?.reply.parentMessageId ?? '');
      if (!first || !question) return;
      const settings = carrySettings(other.endpointType, other.model, first.column.settings);
      const pending = prepareRegenerate(question.messageId, question, { ...other, settings });
      askAs(pending, chat.convo?.columns?.length ?? 0);
    },
    regenerate(one: ColumnPath, other?: OtherModel) {
      const question = chat.findMessage(one.reply.parentMessageId ?? '');
      if (!question) return;
      const own = columnTarget(one);
      const to = other ? { ...other, settings: carrySettings(other.endpointType, other.model, own.settings) } : own;
      askAs(prepareRegenerate(question.messageId, question, to), one.place);
    },
    goOn(one: ColumnPath) {
      const reply = chat.findMessage(one.reply.messageId);
      const question = chat.findMessage(one.reply.parentMessageId ?? '');
      if (reply && question) ask(prepareContinue(question, reply, columnTarget(one)));
    },
    decide(one: ColumnPath): Decide {
      return (decisions) => {
        const reply = chat.findMessage(one.reply.messageId);
        const question = chat.findMessage(one.reply.parentMessageId ?? '');
        if (reply && question) ask(prepareResume(question, reply, decisions, columnTarget(one)));
      };
    },
    /** The question goes below the answer of this column alone. */
    send(one: ColumnPath, text: string, files: readonly Attachment[], queuedId?: string): boolean {
      const ids = waitedIds(one, queuedId);
      return askAs(prepareSend(conversationId, one.reply.messageId, text, columnTarget(one), files, ids), one.place);
    },
    /** Asks a question of this column alone in other words. */
    edit(one: ColumnPath, question: Message, text: string, goneIds: readonly string[]): boolean {
      const files = filesLeft(question, goneIds);
      const pending = prepareSend(conversationId, question.parentMessageId, text.trim(), columnTarget(one), files);
      return askAs({ ...pending, editOf: question.messageId }, one.place);
    },
  };

  function ask(pending: PendingAsk): boolean {
    const { modelTarget } = chat;
    if (!modelTarget) return false;
    return chat.actions.ask({ ...pending, ask: { ...pending.ask, keepsModel: true } }, modelTarget);
  }

  function askAs(pending: PendingAsk, place: number): boolean {
    if (!ask({ ...pending, ask: { ...pending.ask, column: place } })) return false;
    const convo = utils.convos.byId.getData({ conversationId });
    if (convo) cache.putConvo({ ...convo, columns: (convo.columns ?? []).toSpliced(place, 1, columnOf(pending)) });
    return true;
  }
}

/** All of them at once. */
export function useAskColumns(chat: Chat) {
  const { cache } = useChatSession();
  const utils = trpc.useUtils();
  const { conversationId } = chat.slot;

  return {
    /** Asks a question that all columns have in common in other words: each of them answers it anew. */
    editOfAll(columns: readonly ColumnPath[], question: Message, text: string, goneIds: readonly string[]): boolean {
      const messageId = newId();
      const { parentMessageId: parentId } = question;
      const ends = columns.map((one) => ({ to: columnTarget(one), parentId, messageId }));
      return askEach(ends, text.trim(), filesLeft(question, goneIds), question.messageId);
    },
    /** Each gets the question below its own answer. */
    sendToAll(columns: readonly ColumnPath[], text: string, files: readonly Attachment[], queuedId?: string): boolean {
      const ends = columns.map((one) => ({
        to: columnTarget(one),
        parentId: one.reply.messageId,
        ...waitedIds(one, queuedId),
      }));
      return askEach(ends, text, files);
    },
    /** One question to several models, which stand side by side from then on. */
    sendTo(
      targets: readonly ModelTarget[],
      parentId: string | null,
      text: string,
      files: readonly Attachment[],
    ): boolean {
      const messageId = newId();
      return askEach(
        targets.map((to) => ({ to, parentId, messageId })),
        text,
        files,
      );
    },
  };

  function askEach(ends: readonly End[], text: string, files: readonly Attachment[], editOf?: string): boolean {
    const { modelTarget, slot } = chat;
    const [lead, ...others] = ends.map(({ to, parentId, ...ids }) =>
      prepareSend(conversationId, parentId, text, to, files, ids),
    );
    if (!lead || !modelTarget) return false;
    const begun = slot.isNewChat ? opening(lead, slot) : lead;
    if (!chat.actions.ask({ ...begun, others, ...(editOf !== undefined && { editOf }) }, modelTarget)) return false;
    const convo = utils.convos.byId.getData({ conversationId });
    if (convo) cache.putConvo({ ...convo, columns: [lead, ...others].map(columnOf) });
    return true;
  }
}

/** Whom a question goes to, and below which message. */
interface End extends Partial<ReturnType<typeof columnIds>> {
  to: ModelTarget;
  parentId: string | null;
}

/** The ids that a server gives a question from the queue in this column, so that it is asked once. */
function waitedIds({ place }: ColumnPath, queuedId: string | undefined): Partial<ReturnType<typeof columnIds>> {
  return queuedId === undefined ? {} : columnIds(queuedId, place);
}

/** As the server will have it. */
function columnOf({ ask: { endpoint, model = null, settings, replyId } }: PendingAsk): Column {
  return { endpoint, model, settings: settings as Column['settings'], replyId };
}

function filesLeft(question: Message, goneIds: readonly string[]): Attachment[] {
  return messageAttachments(question).filter(({ fileId }) => !goneIds.includes(fileId));
}
