// Parses the exports of apps whose chats are lists of messages with a role and a content: LobeChat, TypingMind and
// ChatbotUI. A file has all chats of a person. The shapes are those of the apps' own import and of their files.
import * as z from 'zod';
import { MaybeId, MaybeMoment, MaybeName, MaybeText, MaybeTitle, Unknowns } from './fields.ts';

const AnyId = z
  .union([z.string().min(1).max(256), z.number()])
  .transform(String)
  .nullish()
  .catch(null);

/** A text, or a list of blocks of which the texts and pictures are read. */
const Content = z.union([z.string(), z.array(z.unknown())]).catch('');

export const RoleBlock = z.object({
  type: MaybeName,
  text: MaybeText,
  image_url: z.object({ url: MaybeText }).nullish().catch(null),
});

const Reasoning = z
  .union([z.string(), z.object({ content: z.string() }).transform(({ content }) => content)])
  .nullish()
  .catch(null);

export const RoleMessage = z.object({
  id: AnyId,
  uuid: AnyId,
  parentId: MaybeId,
  role: z.enum(['user', 'assistant', 'system', 'tool']),
  content: Content,
  createdAt: MaybeMoment,
  model: MaybeName,
  provider: MaybeName,
  reasoning: Reasoning,
  /** LobeChat's of before. */
  extra: z.object({ fromModel: MaybeName, fromProvider: MaybeName }).nullish().catch(null),
  error: z.object({ message: MaybeText }).nullish().catch(null),
  tools: Unknowns,
  tool_call_id: MaybeId,
  sessionId: MaybeId,
  topicId: MaybeId,
  agentId: MaybeId,
});
export type RoleMessage = z.infer<typeof RoleMessage>;

/** Several answers to one question, in TypingMind. */
export const ManyAnswers = z.object({
  responses: z.array(z.object({ model: MaybeName, messages: z.array(z.unknown()) })).min(1),
});

export const LobeTool = z.object({ id: MaybeId, identifier: MaybeName, apiName: MaybeName, arguments: MaybeText });

const Named = z.object({
  id: z.string().max(256),
  title: MaybeTitle,
  meta: z.object({ title: MaybeTitle }).nullish().catch(null),
  systemRole: MaybeText,
  config: z.object({ systemRole: MaybeText }).nullish().catch(null),
  favorite: z.unknown().optional(),
  pinned: z.unknown().optional(),
  createdAt: MaybeMoment,
  updatedAt: MaybeMoment,
});
export type LobeNamed = z.infer<typeof Named>;

const named = Unknowns.transform((list) => list.flatMap((one) => Named.safeParse(one).data ?? []));

const Lobe = z.object({
  messages: z.array(z.unknown()),
  topics: named,
  sessions: named,
  agents: named,
});

/** Of the browser's database with a `state`, or of the server's with `data`. */
export const LobeExport = z.union([
  z.object({ exportType: z.string(), state: Lobe }).transform(({ state }) => state),
  z.object({ mode: z.string(), data: Lobe }).transform(({ data }) => data),
]);
export type LobeExport = z.infer<typeof LobeExport>;

const Chat = z.object({
  id: AnyId,
  chatID: AnyId,
  chatTitle: MaybeTitle,
  name: MaybeTitle,
  createdAt: MaybeMoment,
  updatedAt: MaybeMoment,
  folderID: AnyId,
  folderId: AnyId,
  model: z
    .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
    .nullish()
    .catch(null)
    .transform((id) => MaybeName.parse(id)),
  prompt: MaybeText,
  chatParams: z.object({ systemMessage: MaybeText }).nullish().catch(null),
  messages: z.array(z.unknown()),
});
export type RoleChat = z.infer<typeof Chat>;

const Folder = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  title: MaybeTitle,
  name: MaybeTitle,
});
const folders = Unknowns.transform((list) => list.flatMap((one) => Folder.safeParse(one).data ?? []));

const TypingMind = z.object({ chats: z.array(z.unknown()), folders });

/** With the folders that chats are in. */
export const TypingMindExport = z.union([
  z.object({ data: TypingMind }).transform(({ data }) => data),
  TypingMind.refine(({ chats }) => chats.some((chat) => typeof chat === 'object' && chat && 'chatTitle' in chat)),
]);

export const ChatbotUiExport = z.object({
  version: z.number(),
  history: z.array(z.unknown()),
  folders,
});

/** A chat of TypingMind or ChatbotUI. */
export const RoleChat = Chat;

/** ChatbotUI's first exports were lists of chats. */
export const BareChatbotUi = Chat.extend({
  name: z.string(),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.string() })),
  prompt: z.string(),
});
