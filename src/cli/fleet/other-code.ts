/** What a task names is not here, or not the same: this worker does not do it, another one may. */
export class OtherCode extends Error {
  override readonly name = 'OtherCode';
}
