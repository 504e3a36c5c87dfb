// Parses chats of Open WebUI's export: a tree of messages by id, or in older ones a list of messages that follow each
// other (its models/chats.py reads both).
import * as z from 'zod';
import {
  Flag,
  maybe,
  MaybeId,
  MaybeName,
  MaybeSeconds,
  MaybeText,
  MaybeTitle,
  MaybeUrl,
  SourceId,
  Unknowns,
} from './fields.ts';

const Names = Unknowns.transform((values) => values.flatMap((value) => MaybeName.parse(value) ?? []));

export const OpenWebUiConvo = z.object({
  id: SourceId,
  title: MaybeTitle,
  archived: Flag,
  pinned: Flag,
  created_at: MaybeSeconds,
  updated_at: MaybeSeconds,
  meta: z.object({ tags: Names }).catch({ tags: [] }),
  chat: z
    .object({
      title: MaybeTitle,
      models: Names,
      system: MaybeText,
      params: z.object({ system: MaybeText }).catch({ system: '' }),
      tags: Names,
      history: maybe(z.object({ messages: z.record(z.string(), z.unknown()) })),
      messages: maybe(z.array(z.unknown())),
    })
    .refine(({ history, messages }) => history !== undefined || messages !== undefined),
});
export type OpenWebUiConvo = z.infer<typeof OpenWebUiConvo>;

export const OpenWebUiMessage = z.object({
  /** Older lists have none. */
  id: MaybeId,
  parentId: MaybeId,
  role: z.enum(['user', 'assistant', 'system']),
  content: MaybeText,
  model: MaybeName,
  modelName: MaybeName,
  timestamp: MaybeSeconds,
  files: Unknowns,
  /** False for an answer that was still being written, or was stopped. */
  done: z.boolean().nullish().catch(null),
  annotation: z.object({ rating: z.unknown().optional() }).nullish().catch(null),
  sources: Unknowns,
  error: z.object({ content: MaybeText }).nullish().catch(null),
});
export type OpenWebUiMessage = z.infer<typeof OpenWebUiMessage>;

/** Pictures have an address, files what was read of them, in one place or another. */
export const OpenWebUiFile = z
  .object({
    type: MaybeName,
    name: MaybeName,
    url: MaybeText,
    content: MaybeText,
    content_type: MaybeName,
    file: z
      .object({
        filename: MaybeName,
        data: z.object({ content: MaybeText }).nullish().catch(null),
        meta: z.object({ content_type: MaybeName, name: MaybeName }).nullish().catch(null),
      })
      .nullish()
      .catch(null),
  })
  .transform(({ type, name, url, content, content_type: kind, file }) => ({
    name: name ?? file?.meta?.name ?? file?.filename ?? null,
    url,
    content: content || (file?.data?.content ?? ''),
    isImage: type === 'image' || (kind ?? file?.meta?.content_type ?? '').startsWith('image/'),
  }));

/** A page that an answer names. */
export const OpenWebUiSource = z.object({
  source: z.object({ name: MaybeTitle, url: MaybeUrl }).nullish().catch(null),
  metadata: z.array(z.object({ source: MaybeUrl, title: MaybeTitle })).catch([]),
});

/** What a code block of the code interpreter gave. */
export const OpenWebUiCodeOutput = z.object({ stdout: MaybeText, stderr: MaybeText, result: MaybeText });
