/** The errors that methods throw, distinguished by their names. */
export class InvalidOperation extends Error {
  override readonly name = 'InvalidOperation';
}

export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}
