/**
 * Published npm packages, unmodified, explored under every order of their tasks or threads.
 *
 * The table installs the packages first (install.ts). A row is wrong if the broken guarantees are not exactly those that
 * were judged, if one was judged to be a fault of this project, or if the program of a defect does not show it, or if the package does not promise it.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as ExploreApi from '../../src/api/explore.js';
import type * as Api from '../../src/api/index.js';
import type { Scenario } from '../../src/explore/scenario/scenario.js';
import type { Kit } from '../../src/kits/kit.js';
import type { Table } from '../lib/table.js';
import { DEFECTS, isPromised, isShown, readDefect } from './defects.js';
import { type Entry, entriesOf, type Place, packageOf, placesIn, SURVEY, scenarioFile } from './entries.js';
import { FOLDER, install } from './install.js';

/** For one guarantee, or one scenario file. */
const LIMITS = { timeout: '60s', maxExecutions: 20_000 };

interface Violation {
  readonly guarantee: string;
  readonly judgement: keyof Judged | 'not judged';
  readonly defect?: string;
  readonly isRight: boolean;
}

type Judged = { readonly [K in 'true defect' | 'documented behaviour' | 'ours']: true };

export interface Row {
  readonly package: string;
  readonly version: string;
  readonly name: string;
  readonly kit: string;
  readonly verdict: string;
  readonly executions: number;
  readonly seconds: number;
  readonly violations: readonly Violation[];
  readonly isRight: boolean;
}

export const npmPackages: Table<Place, Row> = {
  inputs: () => placesIn(SURVEY),
  nameOf: ({ name }) => name,
  async prepare(places) {
    for (const kind of new Set(places.map((place) => place.kind))) await install(SURVEY, kind);
  },
  rowsOf: async (place, seed) => [await rowOf(place, join(FOLDER, place.kind), DEFECTS, seed)],
  headOf: () =>
    'package                              version          name                       kit              verdict     executions seconds  judgement',
  textOf: ({ package: own, version, name, kit, verdict, executions, seconds, violations }) =>
    [
      own.padEnd(36),
      version.padEnd(16),
      name.padEnd(26),
      kit.padEnd(16),
      verdict.padEnd(10),
      String(executions).padStart(11),
      seconds.toFixed(1).padStart(7),
      violations
        .map(({ guarantee, judgement, defect }) => ` ${judgement}: ${defect ?? guarantee}`)
        .join('; ') || ` ${/^holds$/.test(verdict) ? 'holds' : '-'}`,
    ].join(' '),
  footOf: totals,
};

/** Explores an entry, one guarantee after the other. `installed`: where its packages are. */
export async function rowOf(
  { folder, kind, name }: Place,
  installed: string,
  defects: string,
  seed: number,
): Promise<Row> {
  const entry = (await entriesOf(folder, kind))[name];
  const { explore } = await api<typeof ExploreApi>('explore');
  const start = performance.now();
  const kit = await loaded(join(installed, scenarioFile(name, entry)));
  const broken: string[] = [];
  const undecided: string[] = [];
  let executions = 0;
  for (const scenario of kit.scenarios ?? [kit]) {
    const { verdict, results, reason } = await explore(scenario, { ...LIMITS, seed });
    executions += results.reduce((sum, one) => sum + one.executions, 0);
    if (verdict === 'violation') broken.push(guaranteeOf(scenario.name));
    if (verdict === 'undecided') undecided.push(reason ?? '');
  }
  const seconds = (performance.now() - start) / 1_000;
  const judged = Object.keys(entry.violations ?? {});
  const missed = judged.filter((guarantee) => !broken.includes(guarantee));
  const violations = broken.map((guarantee) => violationOf(guarantee, entry, defects, installed));
  const { version } = JSON.parse(
    readFileSync(join(installed, 'node_modules', packageOf(entry), 'package.json'), 'utf8'),
  ) as { version: string };
  return {
    package: packageOf(entry),
    version,
    name,
    kit: entry.kit?.replace(/Kit$/, '') ?? 'own',
    verdict: [
      ...(broken.length > 0
        ? ['broken']
        : undecided.length > 0
          ? [`undecided (${[...new Set(undecided)].join(', ')})`]
          : ['holds']),
      ...(missed.length > 0 ? [`not found: ${missed.join(', ')}`] : []),
    ].join(', '),
    executions,
    seconds,
    violations,
    isRight: missed.length === 0 && violations.every(({ isRight }) => isRight),
  };
}

/** Of what was built: scenarios import the same modules. */
const api = async <M>(entry: string): Promise<M> =>
  (await import(pathToFileURL(resolve('dist', 'api', `${entry}.js`)).href)) as M;

/** Loads a scenario file. A package may copy functions such as `setTimeout`, so an exploration replaces them first. */
async function loaded(file: string): Promise<Scenario & Partial<Kit>> {
  const { explore } = await api<typeof ExploreApi>('explore');
  const { scenario } = await api<typeof Api>('index');
  await explore(scenario({ create: () => ({ call: async () => {} }), test: [[['call']]] }));
  const path = resolve(file);
  const { default: own } = (await import(pathToFileURL(path).href)) as { default: Scenario & Partial<Kit> };
  return own.backend === 'threads' ? { ...own, module: path } : own;
}

/** The kit names a scenario `<name>: <guarantee>`. */
const guaranteeOf = (name: string): string => name.replace(/^.*?: /, '');

function violationOf(guarantee: string, entry: Entry, defects: string, installed: string): Violation {
  const judgement = entry.violations?.[guarantee];
  if (judgement === undefined) return { guarantee, judgement: 'not judged', isRight: false };
  if ('documented' in judgement) return { guarantee, judgement: 'documented behaviour', isRight: true };
  if ('ours' in judgement) return { guarantee, judgement: 'ours', isRight: false };
  const { defect } = judgement;
  const draft = readDefect(defects, defect);
  return {
    guarantee,
    judgement: 'true defect',
    defect,
    isRight:
      isShown(draft, installed, defect) &&
      isPromised(draft, join(installed, 'node_modules', packageOf(entry))),
  };
}

/** The totals, and the share of violations that were none. */
export function totals(rows: readonly Row[]): string {
  const count = (verdict: string): number => rows.filter((row) => row.verdict.startsWith(verdict)).length;
  const violations = rows.flatMap((row) => row.violations);
  const of = (judgement: Violation['judgement']): number =>
    violations.filter((one) => one.judgement === judgement).length;
  const packages = new Set(rows.map((row) => row.package)).size;
  const defects = new Set(violations.flatMap(({ defect }) => defect ?? [])).size;
  const executions = rows.reduce((sum, row) => sum + row.executions, 0);
  const ours = of('ours');
  const rate = violations.length === 0 ? 0 : (100 * ours) / violations.length;
  return [
    `${packages} packages, ${rows.length} objects: ${count('holds')} hold, ${count('broken')} broken, ${count('undecided')} undecided; ${executions} executions`,
    `${violations.length} violations: ${of('true defect')} of ${defects} true defects, ${of('documented behaviour')} documented, ${ours} ours, ${of('not judged')} not judged`,
    `false-alarm rate: ${ours} of ${violations.length} violations (${rate.toFixed(1)} %)`,
  ].join('\n');
}
