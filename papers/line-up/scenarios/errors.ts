/** What methods throw. Errors are told apart by their names. */
export class InvalidOperation extends Error {
  override readonly name = 'InvalidOperation';
}

export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}
