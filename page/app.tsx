/** The page of a report: reads its data and draws it. */
import { render } from 'preact';
import type { PageData } from '../src/report/html/page-types.js';
import './page.css';
import { Report } from './report.js';
import { Model } from './shell/model.js';

const root = document.getElementById('app') as HTMLElement;
root.textContent = '';
try {
  const data = JSON.parse(document.getElementById('data')?.textContent ?? '') as PageData;
  document.title = `${data.file}: straightedge`;
  render(<Report model={new Model(data)} />, root);
} catch (error) {
  root.textContent = `Drawing the report failed; this is a bug in straightedge: ${String(error)}`;
}
