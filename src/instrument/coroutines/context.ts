/**
 * One file while it is rewritten to coroutines: its sites, its problems, and the function that the walk is in.
 *
 * Code is rewritten in one of three modes, by how it will run:
 *
 *   plain      when the file is loaded, before anything is explored: it stays as it is
 *   coroutine  in a thread: it announces each shared access, and other threads may run there
 *   sync       in a constructor or an initializer, which cannot be suspended: it must not use shared objects, which the
 *              runtime checks when it runs
 *
 * The files of this folder rewrite one kind of node each. The walk is in syntax/walk.ts.
 */

import { type Binding, isTracked, liveBetween, type Scope } from '../syntax/scope.js';
import type { Problem, Source, Span } from '../syntax/source.js';
import { type Node, namesIn } from '../syntax/tree.js';
import { RewriteContext, type Visitor } from '../syntax/walk.js';

export type Mode = 'plain' | 'sync' | 'coroutine';

/** A function that is being rewritten, or the file. */
export interface Frame {
  readonly mode: Mode;
  /** Temporaries that its code needs, to be declared at its start. */
  readonly temps: string[];
  readonly isArrow: boolean;
  readonly outer: Frame | undefined;
  /** Does an arrow function in it use `super`? */
  usesSuper: boolean;
  /** May it use `super` at all, and is there a place to prepare it? */
  readonly hasSuper: boolean;
  /** Of the constructor of a subclass: text before and after the arguments of `super`. */
  readonly base?: readonly [before: string, after: string] | undefined;
}

/** A loop or a function whose runs the memory counts: `mark` is the temporary with the number of the run, once it is needed. */
export interface Region {
  readonly node: Node;
  mark?: string;
}

/** The position of an access, and the name of what it accesses; empty where the name is computed. */
export interface Site {
  readonly line: number;
  readonly column: number;
  readonly name: string;
}

/** What a `#name` stands for in the class that declares it. */
export type PrivateKind = 'field' | 'method' | 'accessor';

export class CoroutineContext extends RewriteContext {
  readonly problems: Problem[] = [];
  readonly sites: Site[] = [];
  /** Function declaration to the name of its coroutine version, which stands beside it. */
  readonly coroutines: Map<Node, string> = new Map();
  /** Private names of the classes around, the innermost last. */
  readonly privates: Map<string, PrivateKind>[] = [];
  /** Statement to the outermost label before it. */
  readonly labels: Map<Node, Node> = new Map();
  /** All names that we add start with it; no name of the file does. */
  readonly prefix: string;
  /** Members that are not only read: assigned, deleted, or called by a computed name. */
  readonly targets: Set<Node> = new Set();
  frame: Frame;
  /** The region whose statements the walk is in. None: besides the variables, the engine keeps a value, such as an iterator. */
  region: Region | undefined;
  readonly #inferredNames: ReadonlyMap<Node, string | undefined>;
  readonly #sharedScopes: Map<Scope, string> = new Map();
  #names = 0;

  constructor(source: Source, visitor: Visitor<CoroutineContext>) {
    super(source, visitor);
    this.#inferredNames = namesIn(source.program);
    let prefix = '$_';
    while (source.text.includes(prefix)) prefix += '_';
    this.prefix = prefix;
    this.frame = {
      mode: 'plain',
      temps: [],
      isArrow: false,
      outer: undefined,
      usesSuper: false,
      hasSuper: false,
    };
  }

  get mode(): Mode {
    return this.frame.mode;
  }

  /** A member of the runtime (runtime/runtime.ts), as an expression. */
  rt(name: string): string {
    return `${this.prefix}rt.${name}`;
  }

  /** A new name. */
  name(stem = ''): string {
    return `${this.prefix}${stem}${++this.#names}`;
  }

  /** A new temporary of the current function. */
  temp(): string {
    const name = this.name();
    this.frame.temps.push(name);
    return name;
  }

  /** The temporary for a `StepAction` of the runtime. It is used at once, so one serves a whole function. */
  get action(): string {
    const name = `${this.prefix}t`;
    if (!this.frame.temps.includes(name)) this.frame.temps.push(name);
    return name;
  }

  /** The name that a nameless function or class gets from its position; undefined where the name is computed. */
  nameAt(node: Node): string | undefined {
    return this.#inferredNames.has(node) ? this.#inferredNames.get(node) : '';
  }

  /** The number of a site, as an expression. */
  site(node: Span, name = ''): string {
    const { line, column } = this.source.placeOf(node.start);
    return `${this.prefix}s+${this.sites.push({ line, column, name }) - 1}`;
  }

  report(node: Span, message: string): void {
    this.problems.push({ ...this.source.placeOf(node.start), message });
  }

  /** The name of the object that stands for the tracked variables of a scope. */
  sharedScopeOf(scope: Scope): string {
    const known = this.#sharedScopes.get(scope);
    if (known !== undefined) return known;
    const name = this.name('S');
    this.#sharedScopes.set(scope, name);
    return name;
  }

  /** Rewrites what `inside` visits as the body of a function. */
  within<T>(mode: Mode, kind: Pick<Frame, 'isArrow' | 'hasSuper' | 'base'>, inside: () => T): [T, Frame] {
    const outer = this.frame;
    const frame: Frame = { mode, temps: [], outer, usesSuper: false, ...kind };
    this.frame = frame;
    const result = inside();
    this.frame = outer;
    return [result, frame];
  }

  /** Visits statements of a region, or of none. */
  inRegion(region: Region | undefined, inside: () => void): void {
    const outer = this.region;
    this.region = region;
    inside();
    this.region = outer;
  }

  /** Declares the temporaries of a function in the function around it, because there is no place for them inside. */
  lend({ temps }: Frame): void {
    for (const name of temps) if (!this.frame.temps.includes(name)) this.frame.temps.push(name);
  }

  visitList(statements: readonly Node[]): void {
    for (const [i, statement] of statements.entries()) {
      this.visit(statement);
      // rewritten text starts with a parenthesis, which must not continue the line before
      const isDirective = 'directive' in statement && statement.directive;
      if (statement.type === 'ExpressionStatement' && this.mode !== 'plain' && !isDirective)
        this.edits.before(statement, ';');
      if (i > 0) this.#reportLive(statements[i - 1], statement);
    }
  }

  /** Reports the live variables between two statements (syntax/scope.ts). */
  #reportLive(before: Node, next: Node): void {
    const { region } = this;
    if (region === undefined || this.mode !== 'coroutine') return;
    const live = liveBetween(region.node, this.scope, before, next);
    if (live === undefined) return;
    region.mark ??= this.temp();
    this.edits.before(next, `;${this.rt('live')}(${[region.mark, this.site(next), ...live].join()});`);
  }

  /** The start of a function: its temporaries, and access to `super` for its arrow functions. */
  prologue({ temps, usesSuper }: Frame): string {
    const supers = usesSuper ? `const ${this.prefix}super=k=>super[k];` : '';
    return (temps.length > 0 ? `let ${temps.join(',')};` : '') + supers;
  }

  privateKind(name: string): PrivateKind {
    for (let i = this.privates.length - 1; i >= 0; i--) {
      const kind = this.privates[i].get(name);
      if (kind !== undefined) return kind;
    }
    return 'field';
  }

  /**
   * A reader of what a closure captures, for when the closure is shared: its outer variables, the shared scopes of
   * the tracked ones, and `extra`. `0` if it captures nothing.
   */
  captured(captures: Iterable<Binding>, extra: readonly string[] = []): string {
    const names = new Set(extra);
    for (const binding of captures) {
      names.add(binding.name);
      if (isTracked(binding)) names.add(this.sharedScopeOf(binding.scope));
    }
    return names.size === 0 ? '0' : this.reader([...names]);
  }

  /** A function from a number to the value of that variable (`VariableReader`). */
  reader(names: readonly string[]): string {
    return `i=>${names.map((name, i) => `i===${i}?${name}:`).join('')}${this.rt('no')}`;
  }
}
