export { default as Uppy } from '@uppy/core';
export { default as Tus } from '@uppy/tus';
