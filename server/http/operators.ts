/** What routes of operators declare: users only, the operators' scopes, and being one at this moment. */
export const operatorReads = { scope: 'platform:admin:read', actors: ['user'], operator: true } as const;
export const operatorWrites = { scope: 'platform:admin:write', actors: ['user'], operator: true } as const;
export const operatorTags = ['Operators'];
