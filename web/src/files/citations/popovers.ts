// What the marks in an answer open: one file.
export { CitationPopover } from './citation-popover.tsx';
export { WebSourcePopover } from './web-source-popover.tsx';
