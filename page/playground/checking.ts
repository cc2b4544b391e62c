/**
 * Asks the thread that checks, at every change. Only the last question counts: a thread that is busy with an older one is
 * replaced. A thread that does not answer in time is ended, such as one in an endless loop.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import CheckWorker from './check.worker.js?worker&inline';
import type { Question, Reply } from './question.js';

/** Milliseconds for an answer. */
const ANSWER_TIME = 3_000;

class Checker {
  #worker: Worker | undefined;
  #isBusy = false;
  #number = 0;
  #alarm: ReturnType<typeof setTimeout> | undefined;

  ask(question: Question, answer: (reply: Reply) => void): void {
    if (this.#isBusy) this.end();
    const number = ++this.#number;
    const worker = this.#worker ?? new CheckWorker();
    this.#worker = worker;
    const finish = (reply: Reply) => {
      if (number !== this.#number) return;
      clearTimeout(this.#alarm);
      this.#isBusy = false;
      answer(reply);
    };
    const fail = (message: string) => {
      this.end();
      finish({ kind: 'refused', where: 'spec', message });
    };
    this.#isBusy = true;
    worker.onmessage = ({ data }: MessageEvent<{ number: number; reply: Reply }>) => {
      if (data.number === number) finish(data.reply);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      fail(`The check ended: ${event.message || 'it took too much memory'}.`);
    };
    this.#alarm = setTimeout(
      fail,
      ANSWER_TIME,
      `No answer within ${ANSWER_TIME / 1_000} s, so the check was ended. The spec may have an endless loop.`,
    );
    worker.postMessage({ number, question });
  }

  end(): void {
    clearTimeout(this.#alarm);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#isBusy = false;
  }
}

/** The answer to a question, and the last one that was a verdict. Undefined until there is one. */
export function useChecked(question: Question): {
  readonly reply: Reply | undefined;
  readonly isCurrent: boolean;
} {
  const [answered, setAnswered] = useState<{ question: Question; reply: Reply }>();
  const checker = useRef<Checker>(undefined);
  useEffect(() => () => checker.current?.end(), []);
  useEffect(() => {
    checker.current ??= new Checker();
    checker.current.ask(question, (reply) => setAnswered({ question, reply }));
  }, [question]);
  return { reply: answered?.reply, isCurrent: answered?.question === question };
}
