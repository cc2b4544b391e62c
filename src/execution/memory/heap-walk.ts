/**
 * What an object holds, so that states of the heap can be told apart.
 *
 * The stateful engine walks from the object under test, and from what threads have
 * read, to everything that can be reached. It needs every value in it that can ever change,
 * in an order that depends on nothing but the object. By default these are the
 * elements of an array, the entries of a Map or Set, and the own enumerable
 * properties of anything else. An object that hides some of its state (`#private`
 * fields, captured variables), or has properties that do not count (names of
 * locations), says itself what it holds:
 *
 *     contents$(visit) { visit(this.#head); visit(this.#size); }
 */
export interface HasContents {
  contents$(visit: (value: unknown) => void): void;
}

/** Visits what a function holds, and what tells it from others; false where that is not known. */
type FunctionContents = (called: object, visit: (value: unknown) => void) => boolean;

let ofFunctions: FunctionContents = () => false;

/** Only whoever transforms functions knows what they hold. */
export function setFunctionContents(contents: FunctionContents): void {
  ofFunctions = contents;
}

export function visitFunction(called: object, visit: (value: unknown) => void): boolean {
  return ofFunctions(called, visit);
}
