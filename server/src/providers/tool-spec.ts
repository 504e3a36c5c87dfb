/** A tool as a model gets it. */
export interface ToolSpec {
  /** Unique in a call: `^[A-Za-z0-9_-]{1,64}$`. */
  name: string;
  description: string;
  /** JSON schema of an object, without patterns. */
  parameters: JsonSchema;
}

export type JsonSchema = Readonly<Record<string, unknown>>;
