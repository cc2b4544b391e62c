/** Why, as data. */
export { walkOrder } from './walk.js';
