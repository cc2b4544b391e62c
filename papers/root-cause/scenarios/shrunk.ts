/** Of which methods the atomic section is smaller than it was: what a list does before it takes its locks comes too early. */
export interface Shrunk {
  readonly add: boolean;
  readonly remove: boolean;
}
