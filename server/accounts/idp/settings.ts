import { choice, duration, flag, integer, list, text, url } from '#core/settings.ts';

/** Who signs up, how they prove who they are, and for how long they are believed. */
export const peopleSettings = {
  signUp: choice({
    name: 'MAINSTAY_SIGN_UP',
    meaning:
      'Who may sign up: anybody, only those with an open invitation to an organization, or nobody. The first operator ' +
      'comes by the link of the first start in any case.',
    values: ['open', 'invited', 'closed'],
    fallback: 'open',
  }),
  passwordStrength: integer({
    name: 'MAINSTAY_PASSWORD_STRENGTH',
    meaning:
      'How strong a new password has to be, on the scale of zxcvbn: 0 (anything of 8 characters), 2 (resists guessing ' +
      'over the network), 3 (resists a stolen database), 4 (the same, with much to spare).',
    fallback: 3,
    min: 0,
    max: 4,
  }),
  breachedPasswordsUrl: url({
    name: 'MAINSTAY_BREACHED_PASSWORDS_URL',
    meaning:
      'Where new passwords are looked up among those of known breaches, by the first five characters of their SHA-1: ' +
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
    meaning: 'How long after signing in a person may add ways to sign in; then only after signing in again.',
    fallback: '1h',
    minSeconds: 60,
  }),
  mailLinkLifetime: duration({
    name: 'MAINSTAY_MAIL_LINK_LIFETIME',
    meaning: 'How long the links live that verify an address or reset a password.',
    fallback: '1h',
    minSeconds: 60,
    maxSeconds: 7 * 86_400,
  }),
  setupLinkLifetime: duration({
    name: 'MAINSTAY_SETUP_LINK_LIFETIME',
    meaning:
      'How long the link of the first start can be used. A restart prints a new one while no operator exists.',
    fallback: '24h',
    minSeconds: 60,
    maxSeconds: 30 * 86_400,
  }),
  signInAttempts: integer({
    name: 'MAINSTAY_SIGN_IN_ATTEMPTS',
    meaning:
      'Wrong passwords in 15 minutes for one account from one address, before that pair is answered 429.',
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
    meaning: 'Sign-ups, password resets and letters asked for in an hour from one address.',
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
    meaning: 'Letters of one kind that one address is sent in an hour at most, whoever asks for them.',
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
    meaning: 'What the button says: "Sign in with …".',
    shown: "the provider's host",
  }),
  oidcSignUp: flag({
    name: 'MAINSTAY_OIDC_SIGN_UP',
    meaning: 'Whether people whom the provider vouches for, and who are not known yet, get an account.',
    fallback: true,
  }),
};

/** What other programs may get from people by OAuth, and for how long. */
export const oauthSettings = {
  cliClientId: text({
    name: 'MAINSTAY_CLI_CLIENT_ID',
    meaning: 'The client id of the command line, which every instance knows.',
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
    meaning: 'How long a person has to approve a device.',
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
    meaning:
      'How long a program can stay signed in by refreshing, before the person has to approve it again.',
    fallback: '365d',
    minSeconds: 300,
  }),
};
