import { createClient } from '@mainstay/sdk';

/** The API as the person who is signed in: the browser adds the session's cookie itself. */
export const api = createClient({ session: true });
