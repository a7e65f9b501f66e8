import { myProof, trustPage } from '@tizara/contract/trust'
import { useQuery } from '@tanstack/react-query'
import { read } from '../lib/query.ts'

/** Loads liabilities and reserves; other servers lack this call. */
export const useTrust = () => useQuery({ ...read(trustPage), retry: false })

/** Loads the path from the member's balances to the published root. */
export const useMyProof = () => useQuery({ ...read(myProof), retry: false })
