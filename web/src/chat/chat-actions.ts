// The user's actions in a chat pane. Each reads the state when it runs, so it never acts on stale props.
import type { AskInput, Decision } from '@parley/schema/chat/ask';
import { carrySettings } from '@parley/schema/settings/carry-settings';
import type { Convo } from '@parley/schema/convos/convos';
import { FRESH_CONVO } from '@parley/schema/convos/fresh-convo';
import { messageAttachments, type Attachment, type Message } from '@parley/schema/messages/messages';
import { saveBingSettings } from '../catalog/last-bing-settings.ts';
import { saveChoiceAtom } from '../catalog/last-choices.ts';
import { i18n } from '../i18n.ts';
import { canSend } from './can-send.ts';
import { branchesAtom, branchKey, chooseBranchesAtom, shownPath } from './cache/branches.ts';
import { findRunning, isRunning } from './exchanges/exchange.ts';
import { moveFocusToComposer } from '../slots/focus-composer.ts';
import type { ChatSession } from './chat-session.ts';
import { mentionsAtom, type Mention } from './drafts/mention.ts';
import {
  askExtras,
  mentioning,
  opening,
  prepareAgain,
  prepareContinue,
  prepareEdit,
  prepareRegenerate,
  prepareResume,
  prepareSend,
  researching,
  type ExchangeIds,
  type PendingAsk,
} from './exchanges/prepare-ask.ts';
import { draftKeyOf, convertToConvo, slotAtom, type Slot } from '../slots/slot.ts';
import { findSibling } from './thread/use-thread.ts';
import type { ModelTarget, OtherModel } from '../catalog/model-target.ts';
import type { Store } from '../lib/jotai-store.ts';
import type { ChatState } from './chat-state.ts';

export interface SendOptions {
  /** Also after a reply that failed or broke off. */
  isAnyway?: boolean;
  /** Who answers this question alone. */
  once?: Mention | undefined;
  /** It asks for a report. */
  isResearch?: boolean;
  /** Of a question that has waited: nobody is at the box, so the focus stays where it is. */
  ids?: ExchangeIds;
}

/** Each does nothing where it does not apply: while a reply is in progress nothing else can be asked. */
export interface ChatActions {
  /** True when the text, or the files alone, were accepted. */
  send(text: string, attachments?: readonly Attachment[], options?: SendOptions): boolean;
  /** Generates another reply to a question, or to the question of a given reply; by another model if one is given. */
  regenerate(message: Message, other?: OtherModel): void;
  /** Continues a reply that ended early. */
  continueReply(reply: Message): void;
  /** Goes on with a reply whose tool calls wait: every one of them has a decision. A plan is started by `research`. */
  resume(reply: Message, decisions: Readonly<Record<string, Decision>>, research?: AskInput['research']): void;
  /**
   * Asks the edited question as a sibling of the old one, or continues the edited reply as a sibling. True when
   * accepted. A question keeps its files, except those that were deleted: `goneIds`.
   */
  submitEdit(message: Message, text: string, goneIds?: readonly string[]): boolean;
  /** Sends a refused ask again, to another model if one is given. */
  retry(generationId: string, other?: OtherModel): void;
  /** Asks what is prepared elsewhere; `to` is what the chat goes on with. True when accepted. */
  ask(pendingAsk: PendingAsk, to: ModelTarget): boolean;
  stop(): void;
  /** Shows the sibling `step` positions away from `message`. */
  showSibling(message: Message, step: number): void;
}

interface Deps {
  chatSession: ChatSession;
  store: Store;
  /** The slot's index. */
  index: number;
}

/** The actions of a pane; `update` passes them the current state. */
export function createChatActions({ chatSession, store, index }: Deps, first: ChatState) {
  const { exchanges } = chatSession;
  let shown = first;
  const { isFree, ask } = createAsking({ chatSession, store, index }, () => shown);

  const actions: ChatActions = {
    send(text, attachments = [], { isAnyway = false, once, isResearch = false, ids } = {}) {
      const { slot, modelTarget } = shown;
      const trimmed = text.trim();
      if (trimmed === '' && attachments.length === 0) return false;
      if (modelTarget === null) console.error(i18n.t('com_error_undefined_endpoint'));
      if (!modelTarget || !canSend(shown, isAnyway) || !isFree()) return false;
      const parentId = newestShownId(store, shown);
      const sent = prepareSend(slot.conversationId, parentId, trimmed, once?.target ?? modelTarget, attachments, ids);
      const opened = parentId === null ? opening(sent, slot) : sent;
      const pendingAsk = isResearch ? researching(opened) : opened;
      ask(once ? mentioning(pendingAsk, once, modelTarget) : pendingAsk, modelTarget, ids === undefined);
      return true;
    },
    regenerate(message, other) {
      const { tree } = shown;
      const to = targetOf(shown, other);
      const question = tree.byId.get((message.isCreatedByUser ? message.messageId : message.parentMessageId) ?? '');
      if (!question?.isCreatedByUser || !to || !isFree()) return;
      const request = message.isCreatedByUser ? message : questionOf(shown, message);
      ask(prepareRegenerate(question.messageId, request, to), to);
    },
    continueReply(reply) {
      const { modelTarget } = shown;
      if (modelTarget && isFree()) ask(prepareContinue(questionOf(shown, reply), reply, modelTarget), modelTarget);
    },
    resume(reply, decisions, research) {
      const { modelTarget } = shown;
      if (!modelTarget || !isFree()) return;
      const resumed = prepareResume(questionOf(shown, reply), reply, decisions, modelTarget);
      ask(research ? researching(resumed, research) : resumed, modelTarget);
    },
    submitEdit(message, text, goneIds = []) {
      const { modelTarget } = shown;
      const files = retainedFiles(message, goneIds);
      if ((text.trim() === '' && files.length === 0) || !modelTarget || !isFree()) return false;
      ask(prepareEdited(shown, message, { text, files }, modelTarget), modelTarget);
      return true;
    },
    retry(refusedId, other) {
      const to = targetOf(shown, other);
      const refused = exchanges.findPendingAsk(refusedId);
      if (!refused || !to || !isFree()) return;
      clearRestoredDraft(chatSession, store, shown.slot, refused);
      const once = other ? undefined : refused.mention;
      const again = prepareAgain(refused, once?.target ?? to);
      ask(once ? mentioning(again, once, to) : again, to);
    },
    ask(pendingAsk, to) {
      if (!isFree()) return false;
      ask(pendingAsk, to);
      return true;
    },
    stop() {
      const { generationId, convo, exchanges: all } = shown;
      const beside = convo?.columns ? all.filter(isRunning).map((one) => one.generationId) : [];
      for (const id of new Set([...beside, generationId])) if (id !== null) void exchanges.stop(id);
    },
    showSibling: (message, step) => showSibling(store, shown, message, step),
  };
  return { actions, update: (state: ChatState) => void (shown = state) };
}

/** What all asks have in common; `shown` reads the current state. */
function createAsking({ chatSession, store, index }: Deps, shown: () => ChatState) {
  const { exchanges, cache } = chatSession;
  return { isFree, ask };

  /** Reads the store: a second click can come before the next render. */
  function isFree(): boolean {
    const { slot, generationId } = shown();
    return generationId === null && !findRunning(store, slot.conversationId);
  }

  function ask(pendingAsk: PendingAsk, to: ModelTarget, takesFocus = true): void {
    const { conversationId } = pendingAsk.ask;
    const { slot, modelTarget } = shown();
    // The chat goes on with the other model.
    if (to !== modelTarget) store.set(slotAtom(index), { ...slot, choice: to });
    exchanges.dismissFailed(conversationId);
    if (slot.isNewChat) {
      cache.begin(provisionalConvo(pendingAsk, to));
      convertToConvo(store, index);
    }
    if (!askExtras.isOnlyHere?.(conversationId)) store.set(saveChoiceAtom, to);
    saveBingSettings(to.endpointType, to.settings);
    store.set(chooseBranchesAtom, conversationId, choicesOf(pendingAsk));
    exchanges.send(pendingAsk);
    if (takesFocus) moveFocusToComposer(index);
  }
}

/** The last message of the branch on screen; null in a new chat. */
export function newestShownId(store: Store, { slot, stored }: ChatState): string | null {
  const path = shownPath(stored.tree, store.get(branchesAtom)[slot.conversationId] ?? {});
  return path.at(-1)?.messageId ?? null;
}

function showSibling(store: Store, { slot, tree }: ChatState, message: Message, step: number): void {
  const sibling = findSibling(tree, message, step);
  if (!sibling) return;
  const parent = tree.byId.get(message.parentMessageId ?? '');
  const key = branchKey(parent && parent.seq < message.seq ? parent.messageId : null);
  store.set(chooseBranchesAtom, slot.conversationId, { [key]: sibling.messageId });
}

/** The chat's model, or another one with as many of the chat's settings as it has. */
function targetOf({ modelTarget }: ChatState, other: OtherModel | undefined): ModelTarget | null | undefined {
  if (!modelTarget || !other) return modelTarget;
  return { ...other, settings: carrySettings(other.endpointType, other.model, modelTarget.settings) };
}

/** The files of a question, except those that are gone. */
function retainedFiles(message: Message, goneIds: readonly string[]): Attachment[] {
  return message.isCreatedByUser ? messageAttachments(message).filter(({ fileId }) => !goneIds.includes(fileId)) : [];
}

function prepareEdited(
  shown: ChatState,
  message: Message,
  { text, files }: { text: string; files: readonly Attachment[] },
  to: ModelTarget,
): PendingAsk {
  const { conversationId, messageId, parentMessageId } = message;
  if (!message.isCreatedByUser) return prepareEdit(questionOf(shown, message), message, text, to);
  return { ...prepareSend(conversationId, parentMessageId, text.trim(), to, files), editOf: messageId };
}

/**
 * The question of `reply`; the reply itself if the question is missing or not loaded, since an exchange shows two
 * messages.
 */
function questionOf({ findMessage }: ChatState, reply: Message): Message {
  return findMessage(reply.parentMessageId ?? '') ?? reply;
}

/** Removes the text and the files of a refused ask from its draft when the ask is sent again. */
function clearRestoredDraft(
  { drafts }: ChatSession,
  store: Store,
  slot: Slot,
  { ask: { target }, editOf }: PendingAsk,
): void {
  if (target.kind !== 'send' && target.kind !== 'edit') return;
  if (editOf !== undefined) {
    const edit = drafts.editAtom(editOf);
    if (store.get(edit) === target.text) store.set(edit, undefined);
    return;
  }
  const draft = drafts.draftAtom(draftKeyOf(slot));
  if (store.get(draft) !== target.text) return;
  store.set(draft, '');
  store.set(mentionsAtom, draftKeyOf(slot), null);
  const list = drafts.attachmentsAtom(draftKeyOf(slot));
  const isOther = ({ id }: { id: string }) => target.kind !== 'send' || !target.files?.includes(id);
  store.set(list, store.get(list).filter(isOther));
}

/** Selects the branch of the new messages, whatever branch was on screen. */
function choicesOf({ request, reply }: PendingAsk): Record<string, string> {
  return {
    [branchKey(request.parentMessageId)]: request.messageId,
    [branchKey(reply.parentMessageId)]: reply.messageId,
  };
}

/**
 * The conversation until the server's version arrives. Spelt out here: the schema's own helpers would add weight to the
 * first chunk.
 */
function provisionalConvo({ ask, request }: PendingAsk, to: ModelTarget): Convo {
  return {
    ...FRESH_CONVO,
    conversationId: ask.conversationId,
    endpoint: to.endpoint,
    endpointType: to.endpointType,
    model: to.model,
    settings: to.settings,
    ...(ask.isTemporary && { temporaryUntil: request.createdAt }),
    createdAt: request.createdAt,
    updatedAt: request.createdAt,
  };
}
