/** A tool as a model gets it. */
export interface ToolSpec {
  /** Unique in a call: `^[A-Za-z0-9_-]{1,64}$`. */
  name: string;
  description: string;
  /** JSON schema of an object, without patterns. */
  parameters: JsonSchema;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of a tool's arguments, which all must be given unless `required` names others. */
export function argumentsSchema(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, required };
}
