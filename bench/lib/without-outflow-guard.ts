import { registerHooks } from 'node:module'

/**
 * Replaces the outflow guard of an API process (`node --import`), so that `npm run bench -- money-moves --guard` can compare transfers with
 * and without it. Every transfer passes, and nothing is locked, read or recorded for it.
 */
const STUB = `
export const loadOutflowChecks = async () => () => () => ({})
export const authorizeOutflows = async (tx, deps, guard, inputs) =>
  inputs.map((input) => (input instanceof Error ? input : { ...input, confirmedHow: 'small' }))
export const recordUnconfirmed = async () => {}
export const rejectionOfForged = () => undefined
export const rejectionOfUnproven = () => undefined
`

registerHooks({
  load: (url, context, next) =>
    url.endsWith('/withdrawals/guard/authorize-outflow.ts') ? { format: 'module', source: STUB, shortCircuit: true } : next(url, context),
})
