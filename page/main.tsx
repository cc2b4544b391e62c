/** The page of a report: reads the data that is in it, and draws it. */
import { render } from 'preact';
import type { PageData } from '../src/report/html/page-types.js';
import { App } from './app.js';
import { Model } from './model.js';
import './page.css';

const root = document.getElementById('app') as HTMLElement;
root.textContent = '';
try {
  const data = JSON.parse(document.getElementById('data')?.textContent ?? '') as PageData;
  document.title = `${data.file}: straightedge`;
  render(<App model={new Model(data)} />, root);
} catch (error) {
  root.textContent = `This page could not be drawn, which is a bug of straightedge: ${String(error)}`;
}
