// What loads where pictures are asked for, or changed.
export { PictureBar } from './picture-bar.tsx';
export { PictureTools } from './picture-tools.tsx';
