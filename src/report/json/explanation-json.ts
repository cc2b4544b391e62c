/** Why a test goes wrong, for programs. Field names are a contract: docs/json-output.md. */
import type { BlamedBlock } from '../../root-cause/blamed-block.js';
import type { Explanation } from '../../root-cause/explain.js';
import { relativePath } from '../common/relative-path.js';
import type { JsonDocument } from './json.js';

export function explanationDocument({
  collected,
  repairs,
  partial,
  isCut,
  isBeyondRepair,
  isWaiting,
}: Explanation): JsonDocument {
  return {
    violating: collected.violating.length,
    passing: collected.passed,
    isWhole: collected.isWhole,
    repairs: repairs.map(({ repair, rank, forbidden, verification, larger }) => ({
      rank,
      blocks: repair.map(blockDocument),
      forbidden,
      of: collected.passing.length,
      ...(verification && { verification: verification.kind }),
      larger,
    })),
    partial: partial.map(({ repair, removed, forbidden }) => ({
      blocks: repair.map(blockDocument),
      removed,
      forbidden,
      of: collected.passing.length,
    })),
    ...(isCut && { isCut }),
    ...(isBeyondRepair && { isBeyondRepair }),
    ...(isWaiting && { isWaiting }),
  };
}

const blockDocument = ({ file, start, end, methods, isWhole }: BlamedBlock): JsonDocument => ({
  file: relativePath(file),
  start,
  end,
  methods,
  ...(isWhole && { isWhole }),
});
