/** The API answered, and said no. `message` is its sentence: what is wrong and how to fix it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status: 400 to 599. */
  readonly status: number;
  /** Names this request in the log of the instance. */
  readonly requestId: string | undefined;
  /** Seconds until the same request may succeed, where the API says so. */
  readonly retryAfter: number | undefined;
  /** Of the token endpoint: the `error` of RFC 6749, such as `invalid_client`; under `/idp` what went wrong, such as `INVALID_TOKEN`. */
  readonly code: string | undefined;

  constructor(
    message: string,
    about: { status: number; requestId?: string; retryAfter?: number; code?: string },
  ) {
    super(message);
    this.status = about.status;
    this.requestId = about.requestId;
    this.retryAfter = about.retryAfter;
    this.code = about.code;
  }
}

/** No answer came: the instance could not be reached, or broke off. `cause` is what fetch said. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError';
}

/** No answer came within the timeout of the client or of the call. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/**
 * Reads `{"error": "<sentence>"}`, the two fields of RFC 6749, `{code, message}` of `/idp`, the same within `error` as of
 * `/ai/v1`, or whatever a proxy on the way wrote.
 */
export async function toApiError(response: Response): Promise<ApiError> {
  const body = await response.text().catch(() => '');
  const answer = parse(body);
  const isNested = typeof answer.error === 'object' && answer.error !== null;
  const {
    error,
    error_description: description,
    code,
    message,
  } = (isNested ? { ...(answer.error as object), error: undefined } : answer) as Answer;
  const isOAuth = typeof description === 'string';
  const sentence = isOAuth ? description : (error ?? message);
  const name = isOAuth ? error : code;
  const fallback = `${response.status} ${response.statusText}`.trim();
  const requestId = response.headers.get('x-request-id');
  const retryAfter = retryAfterOf(response);
  return new ApiError(typeof sentence === 'string' ? sentence : fallback, {
    status: response.status,
    ...(requestId === null ? {} : { requestId }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(typeof name === 'string' ? { code: name } : {}),
  });
}

type Answer = Partial<Record<'error' | 'error_description' | 'code' | 'message', unknown>>;

function parse(body: string): Answer {
  try {
    return Object(JSON.parse(body));
  } catch {
    return {};
  }
}

/** Seconds; the header holds seconds or a date (RFC 9110, 10.2.3). */
function retryAfterOf(response: Response): number | undefined {
  const header = response.headers.get('retry-after');
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
