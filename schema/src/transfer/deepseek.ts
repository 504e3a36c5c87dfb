// Parses conversations of DeepSeek's `conversations.json`: a tree of nodes like ChatGPT's, whose messages are lists of
// fragments. DeepSeek documents none of it; the shapes are those of exports that people describe.
import * as z from 'zod';
import { MaybeId, MaybeName, MaybeText, MaybeTime, MaybeTitle, MaybeUrl, SourceId, Unknowns } from './fields.ts';

export const DeepSeekNode = z.object({ parent: MaybeId, children: Unknowns, message: z.unknown().optional() });

/** ChatGPT's conversations have a tree, too, but other times. */
export const DeepSeekConvo = z.object({
  id: SourceId,
  title: MaybeTitle,
  inserted_at: z.string().max(64),
  updated_at: MaybeTime,
  mapping: z.record(z.string(), z.unknown()),
});
export type DeepSeekConvo = z.infer<typeof DeepSeekConvo>;

const Page = z.object({ url: MaybeUrl, title: MaybeTitle });

export const DeepSeekFragment = z.object({
  type: MaybeName,
  content: MaybeText,
  results: Unknowns.transform((pages) => pages.flatMap((page) => Page.safeParse(page).data ?? [])),
});
export type DeepSeekFragment = z.infer<typeof DeepSeekFragment>;

const File = z.object({ file_name: MaybeName, name: MaybeName });

export const DeepSeekMessage = z.object({
  model: MaybeName,
  inserted_at: MaybeTime,
  files: Unknowns.transform((files) =>
    files.flatMap((file) => {
      const { data } = File.safeParse(file);
      return data?.file_name ?? data?.name ?? [];
    }),
  ),
  fragments: Unknowns,
  /** Exports of before have these instead of fragments. */
  role: MaybeName,
  content: MaybeText,
  reasoning_content: MaybeText,
});
export type DeepSeekMessage = z.infer<typeof DeepSeekMessage>;
