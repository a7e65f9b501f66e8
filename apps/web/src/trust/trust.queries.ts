import { myProof, trustPage } from '@tizara/contract/trust'
import { useQuery } from '@tanstack/react-query'
import { read } from '../lib/query.ts'

/** What is owed and what covers it; another server does not have this call. */
export const useTrust = () => useQuery({ ...read(trustPage), retry: false })

/** The path from the member's own balances to the published root. */
export const useMyProof = () => useQuery({ ...read(myProof), retry: false })
