/**
 * What an object holds, to distinguish states of the heap.
 *
 * The stateful engine walks from the object under test, and from observed values, to everything that can be reached. It needs every value
 * that can change, in an order that depends only on the object. By default these are the elements of an array, the entries of a Map or
 * Set, and the own enumerable properties of any other object. An object with hidden state (`#private` fields, captured variables), or with
 * properties that are no state (names of locations), defines what it holds:
 *
 *     contents$(visit) { visit(this.#head); visit(this.#size); }
 */
export interface HasContents {
  contents$(visit: (value: unknown) => void): void;
}

/** Visits what a function captures, and what identifies it; false if that is unknown. */
type FunctionContents = (called: object, visit: (value: unknown) => void) => boolean;

let ofFunctions: FunctionContents = () => false;

/** Set by the instrumentation, which knows what functions capture. */
export function setFunctionContents(contents: FunctionContents): void {
  ofFunctions = contents;
}

export function visitFunction(called: object, visit: (value: unknown) => void): boolean {
  return ofFunctions(called, visit);
}
