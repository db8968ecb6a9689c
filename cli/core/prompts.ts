import { createInterface, emitKeypressEvents, type Key } from 'node:readline';
import { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { Interrupted } from './interrupted.ts';
import type { Paint } from './output.ts';
import { fit, visible } from './text.ts';

/** Questions on a terminal: asked on stderr, so that stdout holds results only. */

interface Terminal {
  input: ReadStream;
  screen: NodeJS.WriteStream;
  paint: Paint;
}

export async function ask(terminal: Terminal, question: string, fallback?: string): Promise<string> {
  const { paint } = terminal;
  const hint = fallback === undefined ? '' : paint.dim(` (${fallback})`);
  for (;;) {
    const answer = (await readLine(terminal, `${paint.cyan('?')} ${question}${hint} `)).trim();
    if (answer !== '') return answer;
    if (fallback !== undefined) return fallback;
  }
}

export async function confirm(terminal: Terminal, question: string): Promise<boolean> {
  const { paint } = terminal;
  const answer = await readLine(terminal, `${paint.cyan('?')} ${question} ${paint.dim('(y/N)')} `);
  return /^y(es)?$/i.test(answer.trim());
}

/** Typed unseen. The terminal stops to echo before the question stands there: what is typed at once would be seen. */
export async function askSecret(terminal: Terminal, question: string): Promise<string> {
  const { paint, screen } = terminal;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const answering = readLine({ ...terminal, screen: silent as never }, '');
  screen.write(`${paint.cyan('?')} ${question} `);
  const answer = await answering;
  screen.write('\n');
  return answer.trim();
}

function readLine({ input, screen }: Terminal, question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input, output: screen, terminal: true });
    let isAnswered = false;
    lines.on('SIGINT', () => lines.close());
    lines.on('close', () => {
      if (!isAnswered) reject(new Interrupted());
    });
    lines.question(question, (answer) => {
      isAnswered = true;
      lines.close();
      resolve(answer);
    });
  });
}

const shownChoices = 10;

/** One of several, with the arrow keys; typing narrows them down. */
export function select<T>(
  { input, screen, paint }: Terminal,
  question: string,
  choices: readonly { label: string; hint?: string; value: T }[],
): Promise<T> {
  return new Promise((resolve, reject) => {
    let at = 0;
    let typed = '';
    let drawn = 0;
    const matching = () =>
      choices.filter(({ label, hint = '' }) =>
        `${label} ${hint}`.toLowerCase().includes(typed.toLowerCase()),
      );

    const erase = () => {
      if (drawn > 0) screen.write(`\r\x1b[${drawn}A\x1b[J`);
      drawn = 0;
    };
    const draw = () => {
      erase();
      const columns = (screen.columns ?? 80) - 1;
      const found = matching();
      const from = Math.max(0, Math.min(at - Math.floor(shownChoices / 2), found.length - shownChoices));
      const lines = found.slice(from, from + shownChoices).map(({ label, hint }, index) => {
        const isChosen = from + index === at;
        const text = fit(`${isChosen ? '❯' : ' '} ${visible(label)}${hint ? `  ${hint}` : ''}`, columns);
        return isChosen ? paint.cyan(text) : text;
      });
      if (found.length === 0) lines.push(paint.dim('  nothing matches'));
      const head = fit(`? ${question} ${typed === '' ? '(arrow keys, or type)' : typed}`, columns);
      screen.write(`${[head, ...lines].join('\n')}\n`);
      drawn = lines.length + 1;
    };
    const end = () => {
      erase();
      input.off('keypress', onKey);
      screen.off('resize', draw);
      input.setRawMode(false);
      input.pause();
      screen.write('\x1b[?25h');
    };
    const onKey = (text: string | undefined, key: Key) => {
      const found = matching();
      if (key.ctrl && (key.name === 'c' || key.name === 'd')) {
        end();
        return reject(new Interrupted());
      }
      if (key.name === 'return' || key.name === 'enter') {
        const chosen = found[at];
        if (!chosen) return;
        end();
        screen.write(`${paint.cyan('?')} ${question} ${paint.bold(visible(chosen.label))}\n`);
        return resolve(chosen.value);
      }
      if (key.name === 'up') at = (at - 1 + found.length) % Math.max(found.length, 1);
      else if (key.name === 'down') at = (at + 1) % Math.max(found.length, 1);
      else if (key.name === 'backspace') typed = typed.slice(0, -1);
      else if (text !== undefined && !key.ctrl && !key.meta && text >= ' ') typed += text;
      at = Math.max(0, Math.min(at, matching().length - 1));
      draw();
    };
    emitKeypressEvents(input);
    input.setRawMode(true);
    input.resume();
    input.on('keypress', onKey);
    screen.on('resize', draw);
    screen.write('\x1b[?25l');
    draw();
  });
}
