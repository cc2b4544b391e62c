/** An editor of a text: CodeMirror, in the colours of the page. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  StreamLanguage,
  type StreamParser,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'preact/hooks';

/** What the policy of the page allows a style element to carry. */
const NONCE = 'straightedge';

export interface Problem {
  readonly message: string;
  /** From 1; the whole text if there is none. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

interface Props {
  readonly label: string;
  readonly language: 'history' | 'typescript';
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly problem?: Problem | undefined;
}

export function Editor({ label, language, text, onChange, problem }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const changed = useRef(onChange);
  changed.current = onChange;
  useEffect(() => {
    const own = new EditorView({
      parent: box.current!,
      state: EditorState.create({ doc: text, extensions: extensions(label, language, changed) }),
    });
    view.current = own;
    return () => own.destroy();
  }, [label, language]);
  // a text that comes from elsewhere replaces the whole
  useEffect(() => {
    const own = view.current;
    if (own && own.state.doc.toString() !== text)
      own.dispatch({ changes: { from: 0, to: own.state.doc.length, insert: text }, scrollIntoView: false });
  }, [text]);
  useEffect(() => {
    const own = view.current;
    if (own) own.dispatch(setDiagnostics(own.state, problem ? [diagnosticOf(own.state, problem)] : []));
  }, [problem]);
  return <div class="editor" ref={box} />;
}

function extensions(
  label: string,
  language: Props['language'],
  changed: { readonly current: (text: string) => void },
) {
  const isDrawing = language === 'history';
  return [
    EditorView.cspNonce.of(NONCE),
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) changed.current(state.doc.toString());
    }),
    history(),
    drawSelection(),
    highlightSpecialChars(),
    highlightActiveLine(),
    lineNumbers(),
    lintGutter(),
    // no key for Tab: it moves the focus, as elsewhere on the page
    keymap.of([...defaultKeymap, ...historyKeymap]),
    isDrawing
      ? StreamLanguage.define(DRAWING)
      : [javascript({ typescript: true }), bracketMatching(), indentOnInput()],
    syntaxHighlighting(COLOURS),
    THEME,
  ];
}

/** The place of a problem; the first line if it has none. */
function diagnosticOf({ doc }: EditorState, { message, line = 1, column = 1 }: Problem): Diagnostic {
  const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines));
  const start = Math.min(from + Math.max(0, column - 1), to);
  return { from: start, to: start === to ? to : Math.max(start + 1, to), severity: 'error', message };
}

/** Drawings and records: names of processes, strokes, values. */
const DRAWING: StreamParser<{ isRow: boolean }> = {
  startState: () => ({ isRow: false }),
  token(stream, state) {
    if (stream.sol()) state.isRow = !/^\s*[{[#(]/.test(stream.string);
    if (stream.eatSpace()) return null;
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
    if (state.isRow && stream.match(/^(?:\|-|├─|-+[|?x]|─+[┤?x✗])[-─]*/)) return 'operator';
    if (stream.match(/^(?:->|→|!)/)) return 'operator';
    if (stream.match(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return 'number';
    if (stream.match(/^(?:true|false|null|nil)\b/)) return 'atom';
    if (stream.match(/^[\p{L}_$:][\p{L}\p{N}_$:-]*(?=\()/u)) return 'variableName';
    if (stream.match(/^[\p{L}\p{N}_$:][\p{L}\p{N}_$:]*/u)) return 'propertyName';
    stream.next();
    return null;
  },
};

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--group-3)' },
  { tag: [tags.string, tags.regexp], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--code-number)' },
  { tag: [tags.comment], color: 'var(--faint)', fontStyle: 'italic' },
  { tag: [tags.typeName, tags.className], color: 'var(--code-type)' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--text)' },
  { tag: [tags.variableName], color: 'var(--text)', fontWeight: '500' },
  { tag: [tags.operator], color: 'var(--accent)' },
]);

const THEME = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', backgroundColor: 'var(--background)', color: 'var(--text)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-gutters': {
    backgroundColor: 'var(--panel)',
    color: 'var(--faint)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine': { backgroundColor: 'var(--active)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--panel)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    maxWidth: '420px',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--lit)',
  },
});
