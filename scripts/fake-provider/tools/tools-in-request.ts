/** What a request contains about tools, whatever its protocol. */

export type ToolsInRequest = {
  offered: OfferedTool[];
  /** False where the request wants an answer in words. */
  mayCall: boolean;
  /** The names of the tools of which the request wants a call; absent where the model decides. */
  forced?: readonly string[];
  /** Whether it wants at most one call. */
  isSingle?: boolean;
  /** The shape that the answer is to have; an empty one for any object. */
  format?: Record<string, unknown>;
  /** The calls since the newest question and their results, oldest first. */
  steps: GivenStep[];
};

export type OfferedTool = { name: string; description: string; parameters: Record<string, unknown> };

/** Calls that were made together. */
export type GivenStep = {
  calls: GivenCall[];
  /** What the provider signed, as it came back. */
  signatures: string[];
  /** Whether the step leaves its signatures out in the way that the provider documents. */
  isUnsigned: boolean;
};

export type GivenCall = {
  name: string;
  /** JSON. */
  input: string;
  output: string;
  /** Undefined in protocols that do not say. */
  isError: boolean | undefined;
  /** As lines, see `images-seen.ts`. */
  images: string[];
};

export const noTools: ToolsInRequest = { offered: [], mayCall: false, steps: [] };
