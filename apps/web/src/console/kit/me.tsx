import type { ReplyOf } from '@tizara/contract'
import type { staffMe } from '@tizara/contract/staff'
import { createContext, use } from 'react'

export type Me = ReplyOf<typeof staffMe>

export const MeContext = createContext<Me | null>(null)

export function useMe(): Me {
  const me = use(MeContext)
  if (me === null) throw new Error('outside the console')
  return me
}

/** Returns true if the reader has a right. The console checks rights only, never role names. */
export const useMay = (right: string): boolean => useMe().rights.includes(right)

/** Names the roles that have a right, for a disabled control: `ADMIN can`, `FINANCE or ADMIN can`. Texts name no role themselves. */
export const useWhoCan = (right: string): string => whoCan(useMe(), right)

/** Names the roles that have a right, for a known reader. */
export function whoCan(me: Me, right: string): string {
  const roles = me.whoCan?.[right] ?? []
  return roles.length === 0 ? 'Your role cannot' : `${roles.join(', ').replace(/, ([A-Z]+)$/, ' or $1')} can`
}
