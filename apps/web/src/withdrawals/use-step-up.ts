import type { Units } from '@tizara/money'
import type { BodyOf } from '@tizara/contract'
import { payoutGuard, provePayout } from '@tizara/contract/withdrawals-guard'
import { useQuery } from '@tanstack/react-query'
import { type ApiError, call, toApiError } from '../lib/http/api.ts'
import { lacksProof, proofOf, type ProofValues } from '../lib/proofs/proof-field.tsx'
import { read } from '../lib/http/query.ts'
import { onSessionEnd } from '../lib/http/session.ts'

/** Loads the payout requirements. Servers that implement only the specification lack this call and require nothing. */
export const usePayoutGuard = () => useQuery(read(payoutGuard)).data

type StepUpInput = Pick<BodyOf<typeof provePayout>, 'kind' | 'address' | 'network'>

/** Proofs for payouts with unknown outcome. A retry, even from a reopened form, sends the same call. */
const unsettled = new Map<string, string>()
onSessionEnd(() => unsettled.clear())

/** Letter case in a hex address is only a checksum. */
const sameAddress = (one: string, other: string, network: number): boolean =>
  network === 2 ? one === other : one.toLowerCase() === other.toLowerCase()

const nameOf = (input: StepUpInput, amount: Units): string => JSON.stringify([input, String(amount)])

/** Requests proof for a payout in its form if the address is not in the book. */
export function useStepUp() {
  const guard = usePayoutGuard()

  /** Returns the required proof; undefined if none. */
  function askFor({ address, network }: StepUpInput) {
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
     * Proves the payout with the entered proof. Without one, the server emails a link.
     * @returns the refusal, if any
     */
    async prove(input: StepUpInput, amount: Units, proof: ProofValues): Promise<string | undefined> {
      const ask = askFor(input)
      if (ask === undefined || lacksProof(proof) || unsettled.has(nameOf(input, amount))) return undefined
      try {
        const { data } = await call(provePayout, { body: { ...input, amount, ...(await proofOf(ask, proof)) } })
        unsettled.set(nameOf(input, amount), data.stepUp)
        return undefined
      } catch (thrown) {
        return toApiError(thrown).message
      }
    },
    /** Returns the call's proof fields. */
    part(input: StepUpInput, amount: Units): { stepUp?: string } {
      const stepUp = unsettled.get(nameOf(input, amount))
      return stepUp === undefined ? {} : { stepUp }
    },
    /** A definite response consumes the proof. */
    settled(error?: ApiError): void {
      if (error === undefined || (error.fromServer && error.statusCode < 500 && error.statusCode !== 409)) unsettled.clear()
    },
  }
}
