// Parses the conversations of Grok's `prod-grok-backend.json`. xAI documents none of it; the shapes are those of exports
// that people describe.
import * as z from 'zod';
import {
  Flag,
  MaybeId,
  MaybeMoment,
  MaybeName,
  MaybeText,
  MaybeTime,
  MaybeTitle,
  MaybeUrl,
  SourceId,
  Unknowns,
} from './fields.ts';

/** Of the whole file. */
export const GrokExport = z.object({
  conversations: z.array(z.unknown()).refine((list) => list.length === 0 || list.some((one) => isConvo(one))),
});

export const GrokConvo = z.object({
  conversation: z.object({
    id: SourceId,
    title: MaybeTitle,
    create_time: MaybeTime,
    modify_time: MaybeTime,
    starred: Flag,
  }),
  responses: z.array(z.unknown()),
});
export type GrokConvo = z.infer<typeof GrokConvo>;

function isConvo(value: unknown): boolean {
  return GrokConvo.safeParse(value).success;
}

const Page = z.object({ url: MaybeUrl, title: MaybeTitle });

export const GrokResponse = z.object({
  response: z.object({
    _id: MaybeId,
    parent_response_id: MaybeId,
    sender: MaybeName,
    message: MaybeText,
    create_time: MaybeMoment,
    model: MaybeName,
    thinking_trace: MaybeText,
    partial: Flag,
    error: MaybeText,
    web_search_results: Unknowns.transform((pages) => pages.flatMap((page) => Page.safeParse(page).data ?? [])),
    file_attachments: Unknowns.transform((ids) => ids.flatMap((id) => MaybeId.parse(id) ?? [])),
  }),
});
export type GrokResponse = z.infer<typeof GrokResponse>['response'];
