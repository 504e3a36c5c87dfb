import * as z from 'zod';
import { Count, Text, Uuid } from './shapes.ts';

export const RestTag = z
  .object({ _id: Uuid, user: Uuid, tag: Text, description: Text, count: Count, position: Count })
  .meta({ id: 'Tag' });
export type RestTag = z.infer<typeof RestTag>;
