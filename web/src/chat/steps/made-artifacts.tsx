import { blockOfCall } from '@parley/schema/artifacts/artifact-call';
import { readFenceInfo } from '@parley/schema/artifacts/artifact-kind';
import type { ToolCall } from '@parley/schema/messages/messages';
import { Fence } from '../../content/code/code-block.tsx';

/** The artifacts that the calls of a step made or changed, as blocks of code show theirs. */
export function MadeArtifacts({ calls }: { calls: readonly ToolCall[] }) {
  return calls.map((call) => {
    const block = blockOfCall(call);
    if (!block) return null;
    const { info, source } = block;
    const { language } = readFenceInfo(info);
    return <Fence key={call.id} info={info} code={source} language={language} open={false} cursor={false} />;
  });
}
