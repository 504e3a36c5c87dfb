// The parts of a message that is more than text.
import * as z from 'zod';
import { Count, Text } from './shapes.ts';

const Value = z.object({ value: Text });

const Image = z.object({
  file_id: Text,
  filepath: Text,
  width: Count,
  height: Count,
  prompt: Text.optional(),
  filename: Text.optional(),
  type: Text.optional(),
  object: z.literal('file').optional(),
});
export type RestImage = z.infer<typeof Image>;

const Output = z.union([
  z.object({ type: z.literal('logs'), logs: Text }),
  z.object({ type: z.literal('image'), image: Image }),
]);
export type RestOutput = z.infer<typeof Output>;

const call = { id: Text, progress: z.number() };
const Call = z.union([
  z.object({
    ...call,
    type: z.literal('code_interpreter'),
    code_interpreter: z.object({ input: Text, outputs: z.array(Output) }),
  }),
  z.object({ ...call, type: z.literal('retrieval'), retrieval: z.object({}) }),
  z.object({
    ...call,
    type: z.literal('function'),
    function: z.object({ name: Text, arguments: Text, output: Text.optional() }),
    action: z.boolean(),
  }),
]);
export type RestCall = z.infer<typeof Call>;

/** With these fields beside its own. */
export const contentPartWith = <More extends z.ZodRawShape>(more: More) =>
  z.union([
    z.object({ ...more, type: z.literal('text'), text: Value }),
    z.object({ ...more, type: z.literal('error'), text: Value }),
    z.object({ ...more, type: z.literal('tool_call'), tool_call: Call }),
    z.object({ ...more, type: z.literal('image_file'), image_file: Image }),
  ]);

export const ContentPart = contentPartWith({}).meta({ id: 'ContentPart' });
export type ContentPart = z.infer<typeof ContentPart>;
