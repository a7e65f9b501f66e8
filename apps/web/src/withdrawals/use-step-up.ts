import type { Units } from '@tizara/money'
import type { BodyOf } from '@tizara/contract'
import { payoutGuard, provePayout } from '@tizara/contract/withdrawals-guard'
import { useQuery } from '@tanstack/react-query'
import { type ApiError, call, toApiError } from '../lib/api.ts'
import { lacksProof, proofOf, type ProofValues } from '../lib/proof-field.tsx'
import { read } from '../lib/query.ts'
import { onSessionEnd } from '../lib/session.ts'

/** What a payout needs of its owner; another server has no such call and asks for nothing. */
export const usePayoutGuard = () => useQuery(read(payoutGuard)).data

type Wish = Pick<BodyOf<typeof provePayout>, 'kind' | 'address' | 'network'>

/** Proofs whose payout nobody knows the outcome of: pressing once more, even in a form opened anew, sends the same call. */
const unsettled = new Map<string, string>()
onSessionEnd(() => unsettled.clear())

/** Capitals of a hex address are a checksum and nothing else. */
const sameAddress = (one: string, other: string, network: number): boolean =>
  network === 2 ? one === other : one.toLowerCase() === other.toLowerCase()

const nameOf = (wish: Wish, amount: Units): string => JSON.stringify([wish, String(amount)])

/** The proof of a payout, asked for in its form when its address is not in the book. */
export function useStepUp() {
  const guard = usePayoutGuard()

  /** The proof that a form may ask for; undefined when none is needed. */
  function askFor({ address, network }: Wish) {
    if (guard === undefined || address === '') return undefined
    const inBook = guard.addresses.some(
      (entry) =>
        entry.network === network &&
        sameAddress(entry.address, address, network) &&
        entry.usableFrom !== null &&
        entry.usableFrom.getTime() <= Date.now(),
    )
    return inBook ? undefined : guard.proof
  }

  return {
    guard,
    askFor,
    /**
     * Proves the payout with what was typed; nothing typed proves nothing, and a link comes by mail.
     * @returns why it was refused, if it was
     */
    async prove(wish: Wish, amount: Units, proof: ProofValues): Promise<string | undefined> {
      const ask = askFor(wish)
      if (ask === undefined || lacksProof(proof) || unsettled.has(nameOf(wish, amount))) return undefined
      try {
        const { data } = await call(provePayout, { body: { ...wish, amount, ...(await proofOf(ask, proof)) } })
        unsettled.set(nameOf(wish, amount), data.stepUp)
        return undefined
      } catch (thrown) {
        return toApiError(thrown).message
      }
    },
    /** What goes with the call. */
    part(wish: Wish, amount: Units): { stepUp?: string } {
      const stepUp = unsettled.get(nameOf(wish, amount))
      return stepUp === undefined ? {} : { stepUp }
    },
    /** After a definite answer the proof is used up. */
    settled(error?: ApiError): void {
      if (error === undefined || (error.fromServer && error.statusCode < 500 && error.statusCode !== 409)) unsettled.clear()
    },
  }
}
