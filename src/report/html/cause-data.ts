/** Why an explored test goes wrong, for a page: each repair with its lines, the steps inside of it, and who came in between. */
import { Blocks, NO_RUN } from '../../execution/atomic-blocks.js';
import type { Trace } from '../../explore/model/trace-types.js';
import { interruptions } from '../../root-cause/interruptions.js';
import { relativePath } from '../common/relative-path.js';
import type { Explained, SourceOf } from '../common/report-types.js';
import {
  basisText,
  betweenSentence,
  blameText,
  noCauseText,
  otherText,
  partialText,
  repairText,
  verificationText,
} from '../sentences/root-cause.js';
import { SIGNS } from '../sentences/words.js';
import type { CauseData, RepairData } from './page-types.js';
import type { SourceFiles } from './source-files.js';

export function causeData(
  explained: Explained,
  trace: Trace,
  sourceOf: SourceOf,
  files: SourceFiles,
): CauseData {
  const { explanation, linesOf, placeOf } = explained;
  const { repairs, partial, collected } = explanation;
  const [first] = repairs;
  if (first === undefined) return { told: noCauseText(explanation), repairs: [] };
  const all = [
    ...repairs.map((one) => ({
      ...one,
      outcome: one === first ? 'comes first' : otherText(one),
      tried: verificationText(one, explanation),
    })),
    ...partial.map((one) => ({ ...one, outcome: partialText(one, explanation) })),
  ];
  return {
    told: `${blameText(first, explanation)} ${basisText(explanation)}`,
    repairs: all.map(({ repair, forbidden, outcome, ...one }): RepairData => {
      const blocks = new Blocks(repair, placeOf);
      return {
        name: repairText(repair),
        rank: 'rank' in one ? one.rank : null,
        outcome,
        tried: 'tried' in one ? one.tried : '',
        forbidden,
        of: collected.passing.length,
        blocks: repair.map(({ file, start, end }) => ({
          file: files.add(relativePath(file), linesOf(file), start.line, end.line),
          from: start.line,
          to: end.line,
        })),
        inside: trace.steps.flatMap(({ levels }, i) => (blocks.runOf(levels) === NO_RUN ? [] : [i])),
        between: interruptions(trace, repair, placeOf).map((own) => ({
          sentence: betweenSentence(own, trace, sourceOf, SIGNS),
          steps: own.by.map((step) => trace.steps.indexOf(step)).filter((i) => i >= 0),
        })),
      };
    }),
  };
}
