// Translates the body of an ask or edit request of the REST API into an ask.
import { randomUUID } from 'node:crypto';
import type { AskInput, Target } from '@parley/schema/chat/ask';
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import { Id } from '@parley/schema/ids';
import type { Message } from '@parley/schema/messages/messages';
import { KEPT_FIELDS } from '@parley/schema/settings/settings';
import { NO_PARENT } from '@parley/schema/messages/no-parent';
import * as z from 'zod';
import { refuse } from '../../platform/errors.ts';
import type { Api } from '../../router.ts';
import { derivedId } from '../../platform/derived-id.ts';
import { convoIdStartedBy, hasNoParentConvo, isNew, withMissingQuestion } from './missing-question.ts';
import type { MessageRef } from '@parley/schema/messages/message-inputs';
import { readableText } from '@parley/schema/messages/readable-text';
import { refusedRequest } from '../errors.ts';

export interface AskPath {
  type: EndpointType;
  /**
   * The path alone decides: clients may send any endpoint and model (docs/rest-compat.md, Streaming: ask, edit, abort).
   */
  isLenient: boolean;
  /** Whether to continue an answer; older clients say so in the body instead. */
  isEdit: boolean;
}

export interface ReadAsk {
  input: AskInput;
  /** The user message as the client knows it; for a continuation the client sends it along. */
  question: Pick<Message, 'messageId' | 'conversationId' | 'parentMessageId' | 'parts'>;
}

/** Form values are strings. */
const Flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')]);

/** The request body, with the client's whole conversation; the endpoint table picks the settings from it. */
export const RestAsk = z.looseObject({
  text: z.string().nullish(),
  messageId: z.string().nullish(),
  parentMessageId: z.string().nullish(),
  conversationId: z.string().nullish(),
  overrideParentMessageId: z.string().nullish(),
  responseMessageId: z.string().nullish(),
  /** The text to continue the answer from. */
  generation: z.string().nullish(),
  isContinued: Flag.nullish(),
  isEdited: Flag.nullish(),
  endpoint: z.string().nullish(),
  endpointType: z.string().nullish(),
  model: z.string().nullish(),
  /** Attachments, as the upload's answers describe them; anything else in the list is ignored. */
  files: z.array(z.unknown()).nullish(),
  /** The chosen plugins. */
  tools: z.array(z.unknown()).nullish(),
});
type RestAsk = z.infer<typeof RestAsk>;

/**
 * Translates a client's body into an ask. The client's message id makes it idempotent: all other ids derive from it, so
 * a body sent twice is one exchange. Only a continuation has no id of its own, see `continuation`.
 * @throws z.ZodError, Refusal `invalid_input` or `not_found`
 */
export async function readAsk(api: Api, userId: string, path: AskPath, body: unknown): Promise<ReadAsk> {
  const given = RestAsk.parse(body);
  const isEdit = path.isEdit || given.isEdited === true || given.isContinued === true;
  const ask = isEdit ? given : await withMissingQuestion(api, userId, given);
  const { type, isLenient } = path;
  if (type === 'custom' && !ask.endpoint) refuse({ type: 'invalid_input', text: 'undefined endpoint' });
  if (!isLenient && (ask.endpointType ?? ask.endpoint) !== type)
    refuse({ type: 'invalid_input', text: `The endpoint does not belong to the path of ${type}` });
  const messageId = ownIdOf(ask) ?? randomUUID();
  const conversationId = isNew(ask) ? convoIdStartedBy(userId, messageId) : (ask.conversationId ?? '');
  const target = isEdit ? continueTarget(ask) : await sendTarget(api, ask, { conversationId, messageId });
  const asked = {
    conversationId,
    endpoint: isLenient ? type : (ask.endpoint ?? type),
    model: isLenient ? await offered(api, type, ask.model) : ask.model,
    settings: pickSettings(type, ask),
    target,
  };
  const ids =
    target.kind === 'continue'
      ? await continuation(api, { ...asked, target }, ask.generation ?? '')
      : { generationId: derivedId(userId, messageId, 'generation'), replyId: derivedId(userId, messageId, 'reply') };
  const input = { ...asked, ...ids };
  return { input, question: questionOf(ask, input) };
}

/** The id of the ask itself; null when a regenerate or continue request repeats the id of an existing message. */
function ownIdOf({ messageId, overrideParentMessageId, responseMessageId, isContinued }: RestAsk): string | null {
  const isTaken = messageId === overrideParentMessageId || messageId === responseMessageId;
  return isContinued || isTaken ? null : (Id.safeParse(messageId).data ?? null);
}

/** The model from the body if it is on offer, otherwise the endpoint's default. */
async function offered(api: Api, type: EndpointType, model: string | null | undefined): Promise<string | null> {
  return (await api.endpoints.models())[type]?.find((one) => one === model) ?? null;
}

/** The target of a continuation: `generation` is the text to continue from. */
function continueTarget({ isContinued, responseMessageId, generation }: RestAsk): Target {
  const messageId = responseMessageId ?? '';
  return isContinued
    ? { kind: 'continue', messageId, evenIfComplete: true }
    : { kind: 'edit', messageId, text: generation ?? '' };
}

function questionOf(ask: RestAsk, { conversationId, target }: AskInput): ReadAsk['question'] {
  const parts = [{ type: 'text' as const, text: ask.text ?? '' }];
  if (target.kind === 'send') return { conversationId, ...target, parts };
  return {
    conversationId,
    messageId: ask.overrideParentMessageId ?? NO_PARENT,
    parentMessageId: ask.parentMessageId ?? null,
    parts,
  };
}

function pickSettings(type: EndpointType, ask: RestAsk): AskInput['settings'] {
  const names = [...Object.keys(endpointTable[type].params), ...KEPT_FIELDS];
  const settings = Object.fromEntries(names.map((name) => [name, ask[name]]));
  return 'tools' in settings ? { ...settings, tools: toolKeysOf(ask) } : settings;
}

const NamedTool = z.union([z.string(), z.object({ pluginKey: z.string() }).transform(({ pluginKey }) => pluginKey)]);

/** Clients send whole plugins, of which the keys count; other entries are tools of assistants. */
function toolKeysOf({ tools }: RestAsk): string[] | undefined {
  return tools?.flatMap((tool) => NamedTool.safeParse(tool).data ?? []);
}

async function sendTarget(
  api: Api,
  ask: RestAsk,
  { conversationId, messageId }: { conversationId: string; messageId: string },
): Promise<Target> {
  if (ask.overrideParentMessageId) return { kind: 'regenerate', parentMessageId: ask.overrideParentMessageId };
  const parentMessageId = await parentOf(api, conversationId, ask);
  const files = (ask.files ?? []).flatMap((file) => Attached.safeParse(file).data?.file_id ?? []);
  return { kind: 'send', messageId, parentMessageId, text: ask.text ?? '', ...(files.length > 0 && { files }) };
}

const Attached = z.object({ file_id: Id });

/**
 * A client that does not know a reply's id yet calls it by its question's id plus `_`. That means the newest reply, or
 * the question itself while there is none.
 */
async function parentOf(api: Api, conversationId: string, ask: RestAsk): Promise<string | null> {
  const id = ask.parentMessageId;
  if (!id || id === NO_PARENT || (await hasNoParentConvo(api, ask))) return null;
  if (!id.endsWith('_')) return id;
  const questionId = id.slice(0, -1).toLowerCase();
  const messages = await api.messages.list({ conversationId });
  const replies = messages.filter((message) => message.parentMessageId === questionId && !message.isCreatedByUser);
  return replies.at(-1)?.messageId ?? questionId;
}

type Ids = Pick<AskInput, 'generationId' | 'replyId'>;

/** A continuation without the ids to be found. */
type Continuation = Omit<AskInput, keyof Ids> & { target: Extract<Target, { kind: 'continue' }> };

/**
 * The ids of a continuation, whose body names the question and the answer but has no id of its own. Repeats are told
 * apart by the text to continue from: if the answer has already grown beyond it, or is running with the same model,
 * this is a repeated request. If the last run added no text, this is a retry and gets a new id.
 */
async function continuation(
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
