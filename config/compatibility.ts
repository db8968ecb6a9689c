/** Names of files that existing public clients read, beside ours: the part of server/core/compatibility.ts that the command line needs too. */

/** Names of configuration files of projects, without their endings; the last kind has no modules. */
export const legacyStems = { current: ['gigadrive'], textOnly: ['nebula'] } as const;
export const legacyIgnoreFiles = ['.gigadriveignore'] as const;
