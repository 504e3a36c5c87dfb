// What draws blocks of code, and shows them beside their answers.
export { DiagramBlock } from '../content/diagram/diagram-block.tsx';
export { ArtifactCard } from './artifact-card.tsx';
export { ChatArtifacts } from './chat-artifacts.tsx';
export { ArtifactPane } from './artifact-pane.tsx';
