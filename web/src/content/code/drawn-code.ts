// What draws a block of code: one chunk.
export { DiagramBlock } from '../diagram/diagram-block.tsx';
export { Preview } from '../preview/preview.tsx';
