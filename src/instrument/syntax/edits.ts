/**
 * Edits of a text in place, so that every line keeps its number.
 *
 * A node is rewritten as a sequence of strings and of its own children, in source order. The text between the children is replaced; the
 * children stay, with the edits that they have. Line breaks of replaced text are kept. Invariant: children are edited before their
 * parents, so what a parent inserts at an offset goes around what its child inserted there.
 */
import type MagicString from 'magic-string';
import type { SourceMap } from 'magic-string';
import { invariant } from '../../base/errors.js';
import { tools } from './tree.js';

export interface Span {
  readonly start: number;
  readonly end: number;
}

export class Edits {
  readonly #text: string;
  readonly #edited: MagicString;

  constructor(text: string) {
    this.#text = text;
    this.#edited = new (tools().MagicString)(text);
  }

  /** Replaces a range, in which nothing was edited that should stay. */
  replace({ start, end }: Span, text: string): void {
    if (start === end) this.#edited.appendLeft(start, text);
    else this.#edited.update(start, end, text + this.#lineBreaks(start, end) || ' ');
  }

  /** Leaves nothing but line breaks, and not those that were moved with a text. */
  blank({ start, end }: Span, moved = ''): void {
    if (start === end) return;
    const kept = this.#lineBreaks(start, end).slice(moved.split('\n').length - 1);
    this.#edited.overwrite(start, end, kept || ' ');
  }

  before({ start }: Span, text: string): void {
    this.#edited.prependRight(start, text);
  }

  after({ end }: Span, text: string): void {
    this.#edited.appendLeft(end, text);
  }

  /** Inserts between the text that ends and the text that starts at an offset. */
  at(offset: number, text: string): void {
    this.#edited.appendLeft(offset, text);
  }

  /** Rewrites a node as strings and children. */
  write(node: Span, parts: readonly (string | Span)[]): void {
    let from = node.start;
    let text = '';
    for (const part of parts) {
      if (typeof part === 'string') {
        text += part;
        continue;
      }
      invariant(part.start >= from, 'children are written in the order of the source');
      if (part.start > from) this.replace({ start: from, end: part.start }, text);
      else if (from === node.start) this.before(part, text);
      else this.at(from, text);
      text = '';
      from = part.end;
    }
    this.replace({ start: from, end: node.end }, text);
  }

  /** Removes and returns the edited text of a node, with its line breaks, and puts `text` in its place. */
  move(node: Span, text: string): string {
    const moved = this.#edited.slice(node.start, node.end);
    this.#edited.overwrite(node.start, node.end, text);
    return moved;
  }

  result(file: string): { readonly code: string; readonly map: SourceMap } {
    return {
      code: this.#edited.toString(),
      map: this.#edited.generateMap({ source: file, includeContent: true, hires: 'boundary' }),
    };
  }

  #lineBreaks(start: number, end: number): string {
    return this.#text.slice(start, end).replaceAll(/[^\n]/g, '');
  }
}
