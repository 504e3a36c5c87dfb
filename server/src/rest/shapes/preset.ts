import * as z from 'zod';
import { ChosenTool } from './plugin.ts';
import { Count, Text, Time, Uuid } from './shapes.ts';

export const RestPreset = z
  .looseObject({
    _id: Uuid,
    presetId: Uuid,
    user: Uuid,
    title: Text,
    endpoint: Text.nullable(),
    endpointType: z.literal('custom').optional(),
    model: Text.optional(),
    tools: z.array(ChosenTool).optional(),
    defaultPreset: z.literal(true).optional(),
    order: Count.optional(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'Preset', description: 'The settings of the endpoint stand beside these fields.' });
export type RestPreset = z.infer<typeof RestPreset>;
