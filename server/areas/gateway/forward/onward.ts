import { Agent } from 'node:http';

export interface Onward {
  /** Of the client, as the gateway sees it. */
  address: string;
  scheme: 'http' | 'https';
  path: string;
  /** Added to the request. */
  headers?: Readonly<Record<string, string>>;
  /** Added to the answer. */
  answerHeaders: Readonly<Record<string, string>>;
  status?: number | undefined;
  /** When the answer has to have begun and ended. */
  deadline: AbortSignal;
  /** Looks at an answer before it is passed on. */
  observe?(status: number, headers: Record<string, string | string[]>): Observer;
}

/** What somebody who looks at an answer does with it. */
export interface Observer {
  /** Added to what is passed on. */
  headers: Readonly<Record<string, string>>;
  /** The visitor gets none of it: the observer answers by other means. */
  takes?: boolean;
  /** Sees the bytes; as long as it says true they are read as fast as they come, however slow the visitor is. */
  chunk?(bytes: Buffer): boolean;
  /** All of it has come. */
  end?(): void;
  /** It broke off. */
  abort?(): void;
}

/** Idle connections to processes of functions are kept, for each as many as it usually has requests at a time. */
export const agent = new Agent({ keepAlive: true, maxFreeSockets: 100, scheduling: 'lifo' });

export function noAnswer(): Error {
  return new Error('The connection ended without a response.');
}

/** Whether the request has not reached the other side at all. */
export function isUnsent(error: unknown): boolean {
  return (error as { syscall?: string }).syscall === 'connect';
}
