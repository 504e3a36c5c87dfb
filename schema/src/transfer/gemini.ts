// Parses the activities of Gemini in Google Takeout (`My Activity/Gemini Apps/MyActivity.json`): a question each, as
// the title, with its answer as HTML. Google documents none of it; the shapes are those of exports that people describe.
import * as z from 'zod';
import { MaybeName, MaybeText, MaybeTitle, MaybeUrl, Unknowns } from './fields.ts';

export const GeminiActivity = z.object({
  header: z.string().regex(/gemini|bard/i),
  title: z.string(),
  time: z.iso.datetime({ offset: true }),
  safeHtmlItem: Unknowns.transform((items) => items.map((item) => Html.safeParse(item).data?.html ?? '')),
  subtitles: Unknowns,
  attachedFiles: Unknowns,
  imageFile: MaybeName,
});
export type GeminiActivity = z.infer<typeof GeminiActivity>;

const Html = z.object({ html: MaybeText });

export const GeminiSource = z.object({ name: MaybeTitle, url: MaybeUrl });
