import { ApiError, ConnectionError } from '@mainstay/sdk';

/** A failure that the page describes itself, because no response of the API does. */
export class Refused extends Error {}

/** What users read about a failure: the API's own message, which says how to fix it. */
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

/** Names the request in the log of the instance; none where no response came. */
export function requestIdOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.requestId : undefined;
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
