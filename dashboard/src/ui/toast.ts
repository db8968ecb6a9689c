import { requestIdOf, sentenceOf } from '#api/errors.ts';

interface ToastAction {
  label: string;
  run: () => void;
}

export interface Message {
  title: string;
  kind: 'done' | 'problem';
  /** Of the request that failed. */
  requestId?: string;
  action?: ToastAction;
}

/** What draws them is loaded with the first; those before it wait here. */
const waiting: Message[] = [];
let draw: ((message: Message) => void) | undefined;
const wanted = new Set<() => void>();

function send(message: Message): void {
  if (draw) draw(message);
  else waiting.push(message);
  for (const listener of wanted) listener();
}

/** Says in the corner what happened, wherever the code is that knows it. */
export const toast = {
  done(title: string, action?: ToastAction) {
    send({ title, kind: 'done', ...(action ? { action } : {}) });
  },
  /** Stays until it is closed: what went wrong has to be read. */
  problem(sentence: string, requestId?: string) {
    send({ title: sentence, kind: 'problem', ...(requestId === undefined ? {} : { requestId }) });
  },
  failed(error: unknown) {
    toast.problem(sentenceOf(error), requestIdOf(error));
  },
};

export function drawToastsBy(next: (message: Message) => void): void {
  draw = next;
  for (const message of waiting.splice(0)) next(message);
}

/** Whether anything was ever said on this page. */
export const toastsWanted = {
  subscribe: (listener: () => void) => {
    wanted.add(listener);
    return () => wanted.delete(listener);
  },
  get: () => draw !== undefined || waiting.length > 0,
};
