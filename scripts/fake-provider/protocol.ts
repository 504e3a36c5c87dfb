/**
 * A provider's protocol. Adding a provider to the fake is one file in `protocols/` that exports one of these, and its place in
 * the list of `server.ts`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Connection } from './connection.ts';
import type { RecordedRequest } from './record.ts';
import type { Script } from './scenario.ts';
import type { Choice } from './scenarios.ts';
import type { ToolsInRequest } from './tools/tools-in-request.ts';

/** One request as a protocol sees it. */
export type FakeCall = {
  request: RecordedRequest;
  /** Without the `/as/<scenario>` prefix. */
  path: string;
  line: Connection;
  choose(model: string, text: string): Choice;
  /** Records the scenario and the tools, counts the attempt, and returns its script. */
  script(choice: Choice, question: string, tools?: ToolsInRequest): Script;
  /** The script that a header or the path's prefix requests, for calls without model and text. */
  demanded(): Script | undefined;
  scenarioNames: string[];
  /** The conversations that protocols keep, by their own ids. */
  conversations: Map<string, string>;
};

export type Protocol = {
  /** Some protocols share a path and differ in a header. */
  serves(method: string, path: string, headers: IncomingHttpHeaders): boolean;
  respond(exchange: FakeCall): Promise<void>;
};

const json = { 'content-type': 'application/json' };

/** Answers with a JSON body and ends. */
export function sendJson(line: Connection, status: number, body: unknown, headers: Record<string, string> = {}): void {
  line.head(status, { ...json, 'x-request-id': `req_${line.record.id}`, ...headers });
  line.end(JSON.stringify(body));
}

/** A server-sent event. */
export function dataEvent(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** Responds with anything but a stream; `errorBody` writes the protocol's own error. */
export async function respondWhole(
  script: Exclude<Script, { kind: 'stream' }>,
  line: Connection,
  errorBody: (refusal: Extract<Script, { kind: 'refusal' }>) => unknown,
): Promise<void> {
  switch (script.kind) {
    case 'refusal':
      return sendJson(line, script.status, errorBody(script), script.headers);
    case 'page':
      line.head(script.status, { 'content-type': script.contentType });
      return line.end(script.body);
    case 'silence':
      return line.hang();
    case 'drop':
      return line.cut('cut');
    default:
      return script satisfies never;
  }
}
