/** Of programs that no browser can be sent back to: the page shows the code, and the person copies it. */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

const loopback = new Set(['127.0.0.1', '[::1]', 'localhost']);

function parsed(uri: string): URL | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  // A fragment is forbidden (RFC 6749, 3.1.2); what is before an @ is how people are misled.
  return url && !uri.includes('#') && url.username === '' && url.password === '' ? url : undefined;
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && loopback.has(hostname);
}

/**
 * Whether a client may be sent back there: an address that is registered to the letter (RFC 9700, 4.1.3). The port of a
 * loopback address does not count, as programs on a person's machine take whichever is free (RFC 8252, 7.3).
 * `anyLoopback`: any path there will do as well.
 */
export function isAllowedRedirect(
  uri: string,
  registered: readonly string[],
  options: { anyLoopback: boolean },
): boolean {
  const url = parsed(uri);
  if (!url) return false;
  if (registered.includes(uri)) return true;
  if (!isLoopback(url)) return false;
  if (options.anyLoopback) return true;
  const portless = ({ hostname, pathname, search }: URL) => `${hostname}${pathname}${search}`;
  return registered.some((other) => {
    const known = parsed(other);
    return known !== undefined && isLoopback(known) && portless(known) === portless(url);
  });
}

/**
 * Whether an address may be registered: https, http on loopback, or a scheme of the app's own that has a dot in it
 * (`com.example.app:/callback`, RFC 8252, 7.1). Never `javascript:` and its like.
 */
export function isRegistrable(uri: string): boolean {
  const url = parsed(uri);
  if (!url || uri.length > 2000) return false;
  return (
    url.protocol === 'https:' || isLoopback(url) || /^[a-z][a-z0-9+-]*\.[a-z0-9+.-]+:$/.test(url.protocol)
  );
}
