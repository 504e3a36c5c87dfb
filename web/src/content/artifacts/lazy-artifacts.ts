import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';

/** What draws blocks of code, and shows them beside their answers: one file. */
const readParts = () => import('../../artifacts/parts.ts');

export const artifactCard = lazyScreen(async () => (await readParts()).ArtifactCard);
export const artifactPane = lazyScreen(async () => (await readParts()).ArtifactPane);
export const chatArtifacts = lazyScreen(async () => (await readParts()).ChatArtifacts);
export const diagramBlock = lazyScreen(async () => (await readParts()).DiagramBlock);
