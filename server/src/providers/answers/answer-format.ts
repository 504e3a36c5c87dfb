// The shape that an answer must have, where a program asks for one.
import type { JsonSchema } from '../tool-spec.ts';

/** A JSON object; of this schema, where there is one. */
export interface AnswerFormat {
  schema?: JsonSchema | undefined;
  /** `^[A-Za-z0-9_-]{1,64}$`. */
  name?: string | undefined;
  description?: string | undefined;
  /** Whether OpenAI's models are held to each word of the schema. */
  strict?: boolean | null | undefined;
}

/** `required`: the model calls at least one tool. With a name: it calls that one. Absent: as `auto`. */
export type ToolChoice = 'none' | 'auto' | 'required' | { name: string };

interface Offer {
  tools?: readonly unknown[];
  toolChoice?: ToolChoice;
}

/** Whether the model must call a tool. */
export function forcesCall({ tools = [], toolChoice }: Offer): boolean {
  return tools.length > 0 && (toolChoice === 'required' || typeof toolChoice === 'object');
}

/** Whether the model may call a tool. */
export function mayCall({ tools = [], toolChoice }: Offer): boolean {
  return tools.length > 0 && toolChoice !== 'none';
}
