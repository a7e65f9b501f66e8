import type { Receipt } from '@tizara/contract/wallets'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../http/api.ts'

type Party = Pick<Receipt['from'], 'label' | 'address'>

/**
 * The queries of `read(payees)` and `read(payoutGuard)`. They import the API contract only when they run, so that the page shows its rows
 * first.
 */
const PAYEES = queryOptions({
  queryKey: ['payees'],
  queryFn: async ({ signal }) => (await call((await import('@tizara/contract/transfers')).payees, { signal })).data,
})
const GUARD = queryOptions({
  queryKey: ['payoutGuard'],
  queryFn: async ({ signal }) => (await call((await import('@tizara/contract/withdrawals-guard')).payoutGuard, { signal })).data,
})

const isPerson = ({ label, address }: Party): boolean => address === undefined && label.includes('@')
const isSame = (one: string, other: string): boolean => one === other || (one.startsWith('0x') && one.toLowerCase() === other.toLowerCase())

/**
 * Returns the name that the member gave to a person or a payout address; undefined if none, and on servers without these calls.
 * @param parties the parties that are shown, so that names are loaded only if there can be any
 */
export function usePartyNames(parties: readonly Party[]): (party: Party) => string | undefined {
  const people = useQuery({ ...PAYEES, enabled: parties.some(isPerson) })
  const guard = useQuery({ ...GUARD, enabled: parties.some(({ address }) => address !== undefined) })
  return (party) => {
    const { label, address } = party
    if (address !== undefined) return guard.data?.addresses.find((entry) => isSame(entry.address, address))?.label
    return isPerson(party) ? people.data?.data.find((one) => one.email === label)?.name : undefined
  }
}
