export const staffRoles = ['SUPPORT', 'FINANCE', 'ADMIN', 'AUDITOR'] as const
export type StaffRole = (typeof staffRoles)[number]

/** The roles that may make a staff call or proposal, by the name of their group. */
export const roleGroups = {
  all: staffRoles,
  desk: ['SUPPORT', 'FINANCE', 'ADMIN'],
  money: ['FINANCE', 'ADMIN'],
  records: ['FINANCE', 'ADMIN', 'AUDITOR'],
  admin: ['ADMIN'],
} as const satisfies Readonly<Record<string, readonly StaffRole[]>>
export type RoleGroup = keyof typeof roleGroups
