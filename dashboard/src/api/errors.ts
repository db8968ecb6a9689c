import { ApiError, ConnectionError } from '@mainstay/sdk';

/** A sentence for people that the page itself has, where no answer of the API says it. */
export class Refused extends Error {}

/** What a person is told of a failure: the API's own sentence, which says how to mend it. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) {
    const wait =
      error.status === 429 && error.retryAfter ? ` Try again in ${seconds(error.retryAfter)}.` : '';
    return error.message + wait;
  }
  if (error instanceof Refused) return error.message;
  if (error instanceof ConnectionError) {
    return 'The server did not respond. Check your connection and try again. No data was lost.';
  }
  return 'Something went wrong on this page. Reload it. If the problem persists, contact the operator.';
}

function seconds(count: number): string {
  const whole = Math.ceil(count);
  if (whole < 90) return `${whole} seconds`;
  return `${Math.ceil(whole / 60)} minutes`;
}

/** The field that the API's sentence names (`The field "name" ...`), for the form to show it there. */
export function fieldOf(error: unknown): string | undefined {
  return error instanceof ApiError ? /^The field "(\w+)/.exec(error.message)?.[1] : undefined;
}

export function isStatus(error: unknown, ...statuses: number[]): boolean {
  return error instanceof ApiError && statuses.includes(error.status);
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}
