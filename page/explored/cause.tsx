/**
 * The root cause: the source, with a bar at the lines that must be atomic, beside the interleaving, which marks the steps
 * inside these blocks and those that came in between. A line highlights its steps, a step its line, and both highlight
 * their operations in the drawings.
 */
import { useState } from 'preact/hooks';
import type { CauseData, PatchData, RepairData, TraceData } from '../../src/report/html/page-types.js';
import { operationsIn } from '../../src/report/sentences/words.js';
import { CopyText } from '../shell/copy.js';
import { type Highlight, highlightHandlers } from '../shell/highlight.js';
import type { Model } from '../shell/model.js';
import { Phrases, Prose } from '../shell/text.js';
import { Interleaving } from './interleaving.js';
import { Source, useVisibleRow } from './source.js';

interface Props {
  readonly model: Model;
  readonly trace: TraceData;
  readonly cause: CauseData;
  readonly highlight: Highlight;
}

/** A line of a file. */
interface Spot {
  readonly file: number;
  readonly line: number;
}

export function CauseView({ model, trace, cause, highlight }: Props) {
  const [chosen, choose] = useState(0);
  const repair = cause.repairs[chosen];
  return (
    <>
      <p>
        <Prose text={cause.summary} />
      </p>
      {cause.repairs.length > 1 && <Repairs repairs={cause.repairs} chosen={chosen} choose={choose} />}
      {repair && (
        <RepairView key={chosen} model={model} trace={trace} repair={repair} highlight={highlight} />
      )}
      {cause.patches?.map((patch, i) => (
        <PatchView key={patch.title} patch={patch} number={i + 1} of={cause.patches?.length ?? 0} />
      ))}
    </>
  );
}

/** A patch: its diff, the evidence for it, and a button that copies the diff. */
function PatchView({ patch, number, of }: { patch: PatchData; number: number; of: number }) {
  return (
    <section class="patch" aria-label={`Patch ${number} of ${of}`}>
      <h3>
        Patch {number} of {of}: {patch.title}
      </h3>
      <pre class="diff">
        {patch.diff.split('\n').map((line, i) => (
          <span key={i} class={lineClass(line)}>
            {line}
            {'\n'}
          </span>
        ))}
      </pre>
      <CopyText name="diff" text={patch.diff} />
      {patch.notes.map((note) => (
        <p key={note}>
          <Prose text={note} />
        </p>
      ))}
    </section>
  );
}

const lineClass = (line: string): string =>
  /^\+(?!\+\+ )/.test(line) ? 'added' : /^-(?!-- )/.test(line) ? 'removed' : '';

function Repairs(props: {
  repairs: readonly RepairData[];
  chosen: number;
  choose: (number: number) => void;
}) {
  const { repairs, chosen, choose } = props;
  return (
    <div class="scrolls">
      <table class="repairs">
        <thead>
          <tr>
            <th scope="col">rank</th>
            <th scope="col">atomic block</th>
            <th scope="col">outcome</th>
            <th scope="col">correct orders prevented</th>
          </tr>
        </thead>
        <tbody>
          {repairs.map(({ name, rank, outcome, forbidden, of }, i) => (
            <tr key={i} class={i === chosen ? 'now' : ''}>
              <td>{rank ?? 'in part'}</td>
              <td>
                <button type="button" aria-pressed={i === chosen} onClick={() => choose(i)}>
                  {name}
                </button>
              </td>
              <td>{outcome}</td>
              <td>
                {forbidden} of {of}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RepairView(props: { model: Model; trace: TraceData; repair: RepairData; highlight: Highlight }) {
  const { model, trace, repair, highlight } = props;
  const { steps, files } = trace;
  const [spot, setSpot] = useState<Spot | undefined>(undefined);
  const first = repair.between[0]?.steps[0];
  const shownStep = useVisibleRow(first);
  const inside = new Set(repair.inside);
  const between = new Set(repair.between.flatMap((own) => own.steps));
  const isAt = (step: number, { file, line }: Spot) => steps[step].file === file && steps[step].line === line;
  const isLit = (step: number) => (spot ? isAt(step, spot) : highlight.lit.has(steps[step].operation));
  const isLineLit = (own: Spot) => steps.some((_, step) => isLit(step) && isAt(step, own));
  const shown = [...new Set(repair.blocks.map(({ file }) => file))];
  return (
    <>
      <ul class="reasons">
        {repair.between.map(({ sentence }, i) => (
          <li key={i} {...highlightHandlers(highlight, operationsIn(sentence))}>
            <Phrases sentence={sentence} highlight={highlight} />
          </li>
        ))}
        {repair.tried !== '' && <li>{repair.tried}</li>}
      </ul>
      <div class="columns">
        <div>
          {shown.map((file) => (
            <Source
              key={file}
              file={files[file]}
              now={repair.blocks.find((block) => block.file === file)?.from}
              mustBeAtomic={(line) =>
                repair.blocks.some((block) => block.file === file && block.from <= line && line <= block.to)
              }
              isFocusable={(line) => steps.some((_, step) => isAt(step, { file, line }))}
              lineProps={(line) => {
                const own = { file, line };
                const ran = steps.filter((_, step) => isAt(step, own)).map(({ operation }) => operation);
                return { class: isLineLit(own) ? 'lit' : '', ...handlersOf(own, ran) };
              }}
            />
          ))}
        </div>
        <div>
          <p class="faint">
            <span class="key inside">in one of these blocks</span>{' '}
            <span class="key between">came in between</span>
          </p>
          <Interleaving
            model={model}
            steps={steps}
            rowProps={({ step, isStep, operation }) => {
              const { file, line } = steps[step];
              const classes = [
                isStep && inside.has(step) && 'inside',
                isStep && between.has(step) && 'between',
                isStep && isLit(step) && 'lit',
              ];
              return {
                ref: isStep && step === first ? shownStep : null,
                class: classes.filter(Boolean).join(' '),
                onClick: () => highlight.pick(operation),
                ...handlersOf(isStep && file !== null ? { file, line } : undefined, [operation]),
              };
            }}
          />
        </div>
      </div>
    </>
  );

  /** Event handlers as by `highlightHandlers`, for a line too. */
  function handlersOf(own: Spot | undefined, operations: readonly number[]) {
    const at = highlightHandlers(highlight, operations);
    const leave = () => {
      setSpot(undefined);
      highlight.show([]);
    };
    return {
      onMouseOver: (event: MouseEvent) => {
        setSpot(own);
        at.onMouseOver(event);
      },
      onMouseLeave: leave,
      onFocusCapture: () => {
        setSpot(own);
        at.onFocusCapture();
      },
      onBlurCapture: leave,
    };
  }
}
