// Tests of this room: tests/unit/schema.

// Who may use the models of an endpoint, as administrators see and set it.

/** With a group of their own, of one endpoint. */
export const RULED_MODELS_MAX = 200;

export interface AccessRule {
  endpoint: string;
  /** The groups that may use its models; null for everybody. With none, only administrators may. */
  groupIds: string[] | null;
  /** Models that follow groups of their own instead. */
  models: { model: string; groupIds: string[] }[];
  version: number;
}
