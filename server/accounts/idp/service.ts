export { setupLink } from '#accounts/idp/people/setup.ts';
export { sealedTwoFactors } from './accounts/seals.ts';
export { createResetLink } from './accounts/verifications.ts';
export { grantStates } from './oauth/grants.ts';
export { passwordPolicy } from './passwords/policy.ts';
export { StrengthMeter } from './passwords/strength.ts';
export { Sessions } from './sessions/sessions.ts';
export { sweepPeople } from './sweep.ts';
