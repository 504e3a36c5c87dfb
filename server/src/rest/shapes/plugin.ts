import * as z from 'zod';
import { Text } from './shapes.ts';

/** A plugin or another tool that a conversation, a preset or an assistant may choose. */
export const ChosenTool = z
  .object({
    name: Text,
    pluginKey: Text,
    description: Text,
    icon: Text,
    authConfig: z.array(z.object({ authField: Text, label: Text, description: Text })),
  })
  .meta({ id: 'Tool' });
export type ChosenTool = z.infer<typeof ChosenTool>;

export const RestPlugin = ChosenTool.extend({ authenticated: z.literal(true).optional() }).meta({ id: 'Plugin' });
export type RestPlugin = z.infer<typeof RestPlugin>;
