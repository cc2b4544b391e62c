export { ELEMENTS, type ElementSites, rewriteElements } from './elements.js';
export { type LoadOptions, loadTransformed } from './load.js';
export { type SourceLoop, surroundingsOf } from './loops.js';
export { type Place, type Problem, placeText, TransformError } from './problem.js';
export type { Called } from './runtime/calls.js';
export { type Runtime, runtime } from './runtime/runtime.js';
export { isTransformed, type PlainCall, type PlainProgram, programOf } from './subject.js';
export { transformed } from './vite-plugin.js';
