// Tests of this room: tests/unit/schema.

// Parses conversations of ChatGPT's `conversations.json`: nodes by id, each naming its parent and children. OpenAI
// documents none of it; the shapes are those of exports that people describe (docs/dev/chatgpt-spec.md of
// github.com/mohamed-chs/convoviz, github.com/Laumss/loominary/issues/17).
import * as z from 'zod';
import { Flag, MaybeId, MaybeName, MaybeSeconds, MaybeText, MaybeTitle, MaybeUrl, Unknowns } from './fields.ts';

export const ChatGptConvo = z
  .object({
    conversation_id: MaybeId,
    id: MaybeId,
    title: MaybeTitle,
    create_time: MaybeSeconds,
    update_time: MaybeSeconds,
    default_model_slug: MaybeName,
    is_archived: Flag,
    is_starred: Flag,
    pinned_time: MaybeSeconds,
    /** Of a custom GPT, or with `g-p-` of a project, whose name the export does not have. */
    gizmo_id: MaybeName,
    conversation_template_id: MaybeName,
    mapping: z.record(z.string(), z.unknown()),
  })
  .transform((convo) => ({ ...convo, id: convo.conversation_id ?? convo.id ?? null }));
export type ChatGptConvo = z.infer<typeof ChatGptConvo>;

/** A file that a person attached. */
export const ChatGptAttachment = z.object({ id: MaybeName, name: MaybeName });

const Metadata = z.object({
  model_slug: MaybeName,
  is_visually_hidden_from_conversation: Flag,
  finish_details: z.object({ type: MaybeName }).nullish().catch(null),
  attachments: Unknowns,
  content_references: Unknowns,
  citations: Unknowns,
});
const NO_METADATA = Metadata.parse({});

const ReasoningPiece = z.object({ summary: MaybeText, content: MaybeText });

/** The content of a node. Each kind of content uses some of these fields. */
export const ChatGptContent = z.object({
  content_type: MaybeName,
  parts: Unknowns,
  text: MaybeText,
  title: MaybeTitle,
  url: MaybeUrl,
  language: MaybeName,
  result: MaybeText,
  output_str: MaybeText,
  thoughts: z.array(ReasoningPiece).catch([]),
});
export type ChatGptContent = z.infer<typeof ChatGptContent>;

export const ChatGptMessage = z.object({
  author: z.object({ role: z.enum(['user', 'assistant', 'tool', 'system']), name: MaybeName }),
  create_time: MaybeSeconds,
  content: ChatGptContent,
  status: MaybeName,
  recipient: MaybeName,
  metadata: Metadata.catch(NO_METADATA),
});
export type ChatGptMessage = z.infer<typeof ChatGptMessage>;

export const ChatGptNode = z.object({ parent: MaybeId, children: Unknowns, message: z.unknown().optional() });

/** What a message is that cannot be read. */
export const ChatGptKind = z.object({
  author: z.object({ role: MaybeName }).nullish().catch(null),
  content: z.object({ content_type: MaybeName }).nullish().catch(null),
});

/** A part of a multimodal message that is not plain text. */
export const ChatGptAsset = z.object({ content_type: MaybeName, text: MaybeText, asset_pointer: MaybeName });

/** A web page that an answer names. */
export const ChatGptSource = z.object({
  title: MaybeTitle,
  attribution: MaybeTitle,
  url: MaybeUrl,
  supporting_websites: Unknowns,
});

/** What a mark in a text stands for: `items` of groups of pages, `sources` of the list at the end. */
export const ChatGptReference = z.object({
  type: MaybeName,
  matched_text: MaybeText,
  alt: MaybeText,
  name: MaybeTitle,
  title: MaybeTitle,
  attribution: MaybeTitle,
  url: MaybeUrl,
  items: Unknowns,
  sources: Unknowns,
});
export type ChatGptReference = z.infer<typeof ChatGptReference>;

/** The same in older exports, whose marks have a number: `【8†source】`. */
export const ChatGptCitation = z.object({
  metadata: z.object({
    title: MaybeTitle,
    name: MaybeTitle,
    url: MaybeUrl,
    extra: z.object({ cited_message_idx: z.number() }),
  }),
});
