// Parses conversations of Claude's `conversations.json`, whose format Anthropic does not document: the shapes are those
// of exports that people describe.
import * as z from 'zod';
import { Flag, MaybeId, MaybeName, MaybeText, MaybeTime, MaybeTitle, MaybeUrl, SourceId, Unknowns } from './fields.ts';

export const ClaudeConvo = z.object({
  uuid: SourceId,
  name: MaybeTitle,
  model: MaybeName,
  created_at: MaybeTime,
  updated_at: MaybeTime,
  chat_messages: z.array(z.unknown()),
  /** Some exports say it. */
  project: z.object({ uuid: SourceId, name: MaybeTitle }).nullish().catch(null),
  project_uuid: MaybeId,
});
export type ClaudeConvo = z.infer<typeof ClaudeConvo>;

export const ClaudeMessage = z.object({
  uuid: SourceId,
  sender: z.enum(['human', 'assistant']),
  text: MaybeText,
  content: Unknowns,
  attachments: Unknowns,
  files: Unknowns,
  parent_message_uuid: MaybeId,
  created_at: MaybeTime,
  updated_at: MaybeTime,
});
export type ClaudeMessage = z.infer<typeof ClaudeMessage>;

/** A block of a message. Each kind of block uses some of these fields. */
export const ClaudeBlock = z.object({
  type: MaybeName,
  id: MaybeName,
  tool_use_id: MaybeName,
  name: MaybeName,
  text: MaybeText,
  thinking: MaybeText,
  /** What is left of hidden reasoning. */
  summaries: z.array(z.object({ summary: MaybeText })).catch([]),
  input: z.unknown().optional(),
  content: Unknowns,
  citations: Unknowns,
});
export type ClaudeBlock = z.infer<typeof ClaudeBlock>;

/** Where a web page is cited; the index counts code points of the block's text. */
export const ClaudeCitation = z.object({
  end_index: z.int().min(0),
  details: z.object({ url: MaybeUrl, title: MaybeTitle }),
});

/** An item of a tool's result: a text, a web page, a file or a list of images of the web. */
export const ClaudeResult = z.object({
  text: MaybeText,
  title: MaybeTitle,
  url: MaybeUrl,
  name: MaybeName,
  file_path: MaybeName,
  images: z.array(z.object({ title: MaybeTitle, url: MaybeUrl, page_url: MaybeUrl })).catch([]),
});

/** A file; of text files the export has the text. */
export const ClaudeFile = z.object({ file_name: MaybeName, extracted_content: MaybeText });

/** The call by which Claude makes or changes an artifact. */
export const ClaudeArtifact = z.object({
  id: z.string().max(256).catch('artifact'),
  command: z.enum(['create', 'update', 'rewrite']).catch('create'),
  type: MaybeName,
  title: MaybeTitle,
  language: MaybeName,
  content: MaybeText,
  old_str: MaybeText,
  new_str: MaybeText,
});
export type ClaudeArtifact = z.infer<typeof ClaudeArtifact>;

const ProjectFile = z.object({ filename: MaybeName, content: MaybeText });

/** An item of `projects.json`. */
export const ClaudeProject = z.object({
  uuid: SourceId,
  name: MaybeTitle,
  prompt_template: MaybeText,
  /** Claude's own example. */
  is_starter_project: Flag,
  docs: Unknowns.transform((docs) => docs.flatMap((doc) => ProjectFile.safeParse(doc).data ?? [])),
});
