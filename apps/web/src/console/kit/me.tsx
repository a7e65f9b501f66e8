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

/** Whether the reader may do something; the console asks this and never the role's name. */
export const useMay = (right: string): boolean => useMe().rights.includes(right)

/** Who may do something, for a control that the reader may not press: `ADMIN can`, `FINANCE or ADMIN can`. */
export const useWhoCan = (right: string): string => whoCan(useMe(), right)

/** The same, where who reads is known. */
export function whoCan(me: Me, right: string): string {
  const roles = me.whoCan?.[right] ?? []
  return roles.length === 0 ? 'Your role cannot' : `${roles.join(', ').replace(/, ([A-Z]+)$/, ' or $1')} can`
}
