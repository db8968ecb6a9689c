/** What the process ends with; docs/cli.md lists them for scripts. */
export const exitCodes = {
  failed: 1,
  usage: 2,
  notSignedIn: 3,
  notAllowed: 4,
  notFound: 5,
  conflict: 6,
  unreachable: 7,
  rateLimited: 8,
  interrupted: 130,
} as const;

/** What the user is told when a command cannot continue. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: number;
  /** What to do now. */
  readonly next: string | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;

  constructor(
    message: string,
    about: {
      exit?: keyof typeof exitCodes;
      next?: string | undefined;
      status?: number;
      requestId?: string | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, about.cause === undefined ? {} : { cause: about.cause });
    this.exitCode = exitCodes[about.exit ?? 'failed'];
    this.next = about.next;
    this.status = about.status;
    this.requestId = about.requestId;
  }
}

/** A command that was typed wrong. */
export function wrongUsage(message: string, next?: string): Failure {
  return new Failure(message, { exit: 'usage', next });
}
