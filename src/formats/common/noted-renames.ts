/** Method names of a file to those of a spec; notes which were met, so that reports can show the names of the file. */
export class NotedRenames extends Map<string, string> {
  /** Method of the spec to its name in the file; undefined: it has several. */
  readonly #met = new Map<string, string | undefined>();
  /** Names that the file has not had. */
  readonly #idle = new Set(this.keys());

  override get(name: string): string {
    const method = super.get(name) ?? name;
    this.#idle.delete(name);
    this.#met.set(method, this.#met.has(method) && this.#met.get(method) !== name ? undefined : name);
    return method;
  }

  /** The pairs whose names the file has not had, as they are typed: the method, then its name in the file. */
  get idle(): string[] {
    return Array.from(this.#idle, (name) => `${super.get(name)}=${name}`);
  }

  /** The name of a method in the file; where that has several for it, its own. */
  toldAs(method: string): string {
    return this.#met.get(method) ?? method;
  }
}
