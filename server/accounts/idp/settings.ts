import { choice, duration, flag, integer, list, text, url } from '#core/settings.ts';

/** Who signs up, how they prove who they are, and for how long they are accepted. */
export const peopleSettings = {
  signUp: choice({
    name: 'MAINSTAY_SIGN_UP',
    meaning:
      'Who can sign up: anyone, only users with a pending invitation to an organization, or nobody. The first operator is always created with the setup link.',
    values: ['open', 'invited', 'closed'],
    fallback: 'open',
  }),
  passwordStrength: integer({
    name: 'MAINSTAY_PASSWORD_STRENGTH',
    meaning:
      'Minimum strength of new passwords on the zxcvbn scale: 0 (any password of 8 characters), 2 (resists online guessing), 3 (resists offline guessing), 4 (strong margin).',
    fallback: 3,
    min: 0,
    max: 4,
  }),
  breachedPasswordsUrl: url({
    name: 'MAINSTAY_BREACHED_PASSWORDS_URL',
    meaning:
      'Range API to check new passwords against known breaches, by the first five characters of their SHA-1: ' +
      'https://api.pwnedpasswords.com/range/ or a mirror of it.',
    protocols: ['http:', 'https:'],
    shown: 'not looked up',
  }),
  sessionIdle: duration({
    name: 'MAINSTAY_SESSION_IDLE',
    meaning: 'A browser that was not used for so long is signed out.',
    fallback: '24h',
    minSeconds: 300,
  }),
  sessionLifetime: duration({
    name: 'MAINSTAY_SESSION_LIFETIME',
    meaning: 'A browser is signed out this long after signing in, however much it is used.',
    fallback: '14d',
    minSeconds: 300,
    maxSeconds: 400 * 86_400,
  }),
  sessionFresh: duration({
    name: 'MAINSTAY_SESSION_FRESH',
    meaning: 'How long after signing in a user can add sign-in methods without signing in again.',
    fallback: '1h',
    minSeconds: 60,
  }),
  mailLinkLifetime: duration({
    name: 'MAINSTAY_MAIL_LINK_LIFETIME',
    meaning: 'How long links to verify an address or reset a password are valid.',
    fallback: '1h',
    minSeconds: 60,
    maxSeconds: 7 * 86_400,
  }),
  setupLinkLifetime: duration({
    name: 'MAINSTAY_SETUP_LINK_LIFETIME',
    meaning: 'How long the setup link is valid. A restart prints a new one while no operator exists.',
    fallback: '24h',
    minSeconds: 60,
    maxSeconds: 30 * 86_400,
  }),
  signInAttempts: integer({
    name: 'MAINSTAY_SIGN_IN_ATTEMPTS',
    meaning: 'Wrong passwords in 15 minutes for one account from one address before 429 is returned.',
    fallback: 10,
    min: 1,
    max: 1_000_000,
  }),
  signInAttemptsPerAddress: integer({
    name: 'MAINSTAY_SIGN_IN_ATTEMPTS_PER_ADDRESS',
    meaning: 'Wrong passwords in 15 minutes from one address, whatever the accounts.',
    fallback: 100,
    min: 1,
    max: 1_000_000,
  }),
  signInAttemptsPerAccount: integer({
    name: 'MAINSTAY_SIGN_IN_ATTEMPTS_PER_ACCOUNT',
    meaning:
      'Wrong passwords in an hour for one account, from wherever. Addresses where its owner is signed in are exempt, so ' +
      'that guessing does not lock the owner out.',
    fallback: 100,
    min: 1,
    max: 1_000_000,
  }),
  signUpsPerAddress: integer({
    name: 'MAINSTAY_SIGN_UPS_PER_ADDRESS',
    meaning: 'Sign-ups, password resets and e-mails that one address can request per hour.',
    fallback: 30,
    min: 1,
    max: 1_000_000,
  }),
  pageRequestsPerMinute: integer({
    name: 'MAINSTAY_PAGE_REQUESTS_PER_MINUTE',
    meaning: 'Requests to /idp a minute from pages at one address, for each process.',
    fallback: 300,
    min: 1,
    max: 100_000_000,
  }),
  mailsPerRecipient: integer({
    name: 'MAINSTAY_MAILS_PER_RECIPIENT',
    meaning: 'E-mails of one kind that are sent to one address per hour.',
    fallback: 5,
    min: 1,
    max: 1_000_000,
  }),
  oidcIssuer: url({
    name: 'MAINSTAY_OIDC_ISSUER',
    meaning:
      'An OpenID Connect provider that people may sign in with, such as https://accounts.example.com. Its redirect ' +
      'address is BASE_URL/idp/callback/oidc.',
    protocols: ['http:', 'https:'],
    shown: 'none',
  }),
  oidcClientId: text({
    name: 'MAINSTAY_OIDC_CLIENT_ID',
    meaning: 'The client id that the provider gave you.',
  }),
  oidcClientSecret: text({
    name: 'MAINSTAY_OIDC_CLIENT_SECRET',
    meaning: 'The client secret that the provider gave you.',
    secret: true,
  }),
  oidcName: text({
    name: 'MAINSTAY_OIDC_NAME',
    meaning: 'Name on the button "Sign in with …".',
    shown: "the provider's host",
  }),
  oidcSignUp: flag({
    name: 'MAINSTAY_OIDC_SIGN_UP',
    meaning: 'Whether new users of the provider get an account automatically.',
    fallback: true,
  }),
};

/** What other programs may get from people by OAuth, and for how long. */
export const oauthSettings = {
  cliClientId: text({
    name: 'MAINSTAY_CLI_CLIENT_ID',
    meaning: 'The client id of the command line, registered on every instance.',
    shown: 'mainstay-cli',
    pattern: /^[\w.-]{1,64}$/,
    expected: 'up to 64 letters, digits, dots, hyphens and underscores',
  }),
  cliRedirectUris: list({
    name: 'MAINSTAY_CLI_REDIRECT_URIS',
    meaning:
      'Where the command line may be sent back to, besides any http address of loopback (127.0.0.1, [::1], localhost).',
    accepts: (uri) => URL.canParse(uri) && !uri.includes('#'),
    expected: 'a list of absolute addresses without a fragment',
  }),
  authorizationCodeLifetime: duration({
    name: 'MAINSTAY_AUTHORIZATION_CODE_LIFETIME',
    meaning: 'How long an authorization code can be exchanged.',
    fallback: '60s',
    minSeconds: 10,
    maxSeconds: 600,
  }),
  deviceCodeLifetime: duration({
    name: 'MAINSTAY_DEVICE_CODE_LIFETIME',
    meaning: 'How long a user has to approve a device.',
    fallback: '15m',
    minSeconds: 60,
    maxSeconds: 3600,
  }),
  deviceCodesPerAddress: integer({
    name: 'MAINSTAY_DEVICE_CODES_PER_ADDRESS',
    meaning: 'Device codes that one address may ask for in 15 minutes.',
    fallback: 60,
    min: 1,
    max: 1_000_000,
  }),
  userCodeAttempts: integer({
    name: 'MAINSTAY_USER_CODE_ATTEMPTS',
    meaning: 'Wrong device codes that one person may enter in 15 minutes.',
    fallback: 20,
    min: 1,
    max: 1_000_000,
  }),
  refreshTokenIdle: duration({
    name: 'MAINSTAY_REFRESH_TOKEN_IDLE',
    meaning: 'A refresh token that was not used for so long has expired.',
    fallback: '30d',
    minSeconds: 300,
  }),
  refreshTokenLifetime: duration({
    name: 'MAINSTAY_REFRESH_TOKEN_LIFETIME',
    meaning: 'How long an OAuth app can refresh its access before the user has to approve it again.',
    fallback: '365d',
    minSeconds: 300,
  }),
};
