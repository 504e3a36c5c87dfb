import * as z from 'zod';
import { RestConvo } from './convo.ts';
import { RestMessage } from './message.ts';
import { Count, Text } from './shapes.ts';

export const SearchPage = z.object({
  conversations: z.array(RestConvo),
  messages: z.array(
    RestMessage.extend({
      searchResult: z.literal(true),
      title: Text,
      /** A setting of its conversation. */
      chatGptLabel: z.unknown().optional(),
    }),
  ),
  pages: Count,
  pageNumber: Count,
  pageSize: Count,
});
