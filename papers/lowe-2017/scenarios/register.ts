/** A register: one field. */
export class Register {
  private value = 0;

  read(): number {
    return this.value;
  }

  write(value: number): void {
    this.value = value;
  }
}
